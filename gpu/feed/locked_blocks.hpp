// Provides page-locked memory for the blocks of streams.
// host only
#pragma once

#include "core/input/block_memory.hpp"

namespace duomap::gpu {

/// Page-locked memory from which a GPU copies a block by itself. No staging thread has to carry the block, or
/// to wait for a core that is busy with decompressing. Null in a build without CUDA, and for a device that
/// does not answer. Taking memory starts the device.
[[nodiscard]] block_memory* locked_blocks(int device_index);

}  // namespace duomap::gpu
