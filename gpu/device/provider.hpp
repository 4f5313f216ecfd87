// The GPUs of this process, for the planner of runs.
#pragma once

#include "core/device_provider.hpp"

namespace duomap::gpu {

[[nodiscard]] const device_provider& provider();

/// Remembers that a GPU has a context, so that later runs need not wait for one.
void note_started(int device_index);

}  // namespace duomap::gpu
