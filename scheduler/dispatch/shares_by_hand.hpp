// Computes the shares of executors if the user sets the GPUs' share.
#pragma once

#include "scheduler/dispatch/dispatcher/executor_config.hpp"

#include <span>
#include <vector>

namespace duomap::scheduler {

/// The share of each executor. The devices divide `gpu_share` equally, and the pools divide the rest.
/// @throws usage_error when a share that is not 0 has no executor
[[nodiscard]] std::vector<double> shares_by_hand(double gpu_share, std::span<const executor_config> configs);

}  // namespace duomap::scheduler
