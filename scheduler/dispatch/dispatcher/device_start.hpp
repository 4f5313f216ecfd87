// Decides whether it pays to start a device.
#pragma once

#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/dispatch/dispatcher/finish_estimate.hpp"

namespace duomap::scheduler {

/// Whether a cold device has to wait for the start of another device: until the other's rate is known, or
/// until its first chunk has taken longer than a start. A start occupies the driver for as long as a short
/// run, and several starts take the sum of their times. Called under the mutex of the dispatcher.
[[nodiscard]] bool waits_for_another_start(const executor_table& all, unsigned index, double now) noexcept;

/// Whether starting a device now pays for its part of the rest. `seen`: the estimate of device `index`. Any
/// thread may call it.
[[nodiscard]] bool worth_starting(const executor_table& all, unsigned index,
                                  const finish_estimate& seen) noexcept;

}  // namespace duomap::scheduler
