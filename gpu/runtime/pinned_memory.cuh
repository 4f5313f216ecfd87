// The process's page-locked memory.
#pragma once

#include "gpu/runtime/block_pool.hpp"

namespace duomap::gpu {

/// Page-locked blocks for all devices. Locking is slow (an H200's host: 8 MiB of huge pages 1.1 ms, through
/// cudaHostAlloc 2.4 ms, 64 bytes 0.6 ms), so up to 1 GiB stays with the process until it ends: more than
/// the feeders of eight GPUs use.
[[nodiscard]] block_pool& pinned_memory();

}  // namespace duomap::gpu
