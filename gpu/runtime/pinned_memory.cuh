// The process's page-locked memory.
#pragma once

#include "gpu/runtime/block_pool.hpp"

namespace duomap::gpu {

/// Page-locked blocks for all devices. Locking is slow, 1.1 ms for 8 MiB of huge pages (H200's host). So up
/// to 1 GiB stays with the process until it ends, which is more than the feeders of eight GPUs use.
[[nodiscard]] block_pool& pinned_memory();

}  // namespace duomap::gpu
