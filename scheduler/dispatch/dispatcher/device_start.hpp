// Whether it pays to start a device.
#pragma once

#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/dispatch/dispatcher/finish_estimate.hpp"

namespace duomap::scheduler {

/// Whether a device that has not been started is to be started now for its part of what is left. `seen`: as
/// the device sees the others. A function of its arguments; any thread may call it.
[[nodiscard]] bool worth_starting(const executor_state& device, const finish_estimate& seen) noexcept;

}  // namespace duomap::scheduler
