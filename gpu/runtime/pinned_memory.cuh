// The process's page-locked memory.
#pragma once

#include "gpu/runtime/block_pool.hpp"
#include "gpu/runtime/huge_pages.hpp"

namespace duomap::gpu {

/// Page-locked blocks for all devices. Locking is slow: 1.1 ms for 8 MiB of huge pages (H200's host). So the
/// process keeps up to 1 GiB until it ends, which is more than the feeders of eight GPUs use.
[[nodiscard]] block_pool& pinned_memory();

/// Locks memory of a power of two bytes, and gives it to the pool. Frees the memory if the driver refuses.
void lock_for_pool(huge_pages pages);

}  // namespace duomap::gpu
