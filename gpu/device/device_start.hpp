// How a run's GPU starts.
// host only
#pragma once

#include "core/executor.hpp"

namespace duomap::gpu {

/// See executor::begin_start().
[[nodiscard]] start_progress begin_to_start(int device_index);

/// About how long until a GPU has its context, in seconds, whether it is being started or not; 0 when it has
/// one. Any thread may call it.
[[nodiscard]] double seconds_until_started(int device_index);

}  // namespace duomap::gpu
