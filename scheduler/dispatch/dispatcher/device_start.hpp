// Decides whether it pays to start a device.
#pragma once

#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/dispatch/dispatcher/finish_estimate.hpp"

namespace duomap::scheduler {

/// Whether a cold device has to wait for another device that starts before it, until that one's rate is known
/// or its first chunk has outlasted a start. A start occupies the driver for the length of a short run, and
/// several starts take the sum of their times. Called under the mutex of the dispatcher.
[[nodiscard]] bool waits_for_another_start(const executor_table& all, unsigned index, double now) noexcept;

/// Whether to start a device now for its part of the rest. `seen`: the estimate of device `index`. Any thread
/// may call it.
[[nodiscard]] bool worth_starting(const executor_table& all, unsigned index,
                                  const finish_estimate& seen) noexcept;

}  // namespace duomap::scheduler
