// Starts the GPU of a run.
// host only
#pragma once

#include "core/executor.hpp"

namespace duomap::gpu {

/// Begins to start a GPU, for executor::begin_start().
[[nodiscard]] start_progress begin_to_start(int device_index);

/// Estimates the seconds until a GPU has its context, whether its start has begun or not; 0 if it has one.
/// Any thread may call it.
[[nodiscard]] double seconds_until_started(int device_index);

}  // namespace duomap::gpu
