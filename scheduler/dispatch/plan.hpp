// Which executor is to do which part of an input, as far as it can be told beforehand.
#pragma once

#include "core/split_policy.hpp"
#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_config.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// What an executor is expected to do.
struct planned_part {
  double share = 0;    ///< of the grains
  std::string reason;  ///< why that is nothing, or not known; a part of a sentence
};

struct plan {
  std::vector<planned_part> parts;  ///< of each executor
  double seconds = 0;               ///< until all is done; 0 when not known
};

/// The split with which all end together, from the models: an executor that cannot help is left out. A device
/// joins when that saves at least 2 %, since models are never better than that. When the speed of one of them
/// is not known, nothing is planned: the first chunks will tell. Shares are what `automatic` expects to
/// reach, and what the model says; with it they decide nothing but how long the intervals of several devices
/// are.
[[nodiscard]] plan plan_split(std::uint32_t grains, std::span<const executor_config> configs);

/// The same where pools are held back (dispatch_options::hold_back_seconds).
[[nodiscard]] plan plan_devices_solo(std::uint32_t grains, std::span<const executor_config> configs);

/// How grains are to be dispatched for a choice. Policies that need speeds fall back on equal shares when
/// those are not known.
/// @throws usage_error when a split by hand has no executor for a share that is not 0
[[nodiscard]] dispatch_options options_for(const split_choice& choice, std::uint32_t grains,
                                           std::span<const executor_config> configs);

}  // namespace duomap::scheduler
