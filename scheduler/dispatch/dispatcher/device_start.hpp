// Whether it pays to start a device.
#pragma once

#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/dispatch/dispatcher/finish_estimate.hpp"

namespace duomap::scheduler {

/// Whether a device that needs a start has to wait until it is known what another that starts before it does
/// for the run, or that this takes longer than a start. A start takes the driver as long as a short run, and
/// several of them take the sum. Called under the mutex of the dispatcher.
[[nodiscard]] bool waits_for_another_start(const executor_table& all, unsigned index, double now) noexcept;

/// Whether a device that has not been started is to be started now for its part of what is left. `seen`: as
/// the device `index` sees the others. A function of its arguments; any thread may call it.
[[nodiscard]] bool worth_starting(const executor_table& all, unsigned index,
                                  const finish_estimate& seen) noexcept;

}  // namespace duomap::scheduler
