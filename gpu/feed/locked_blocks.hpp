// Page-locked memory for blocks of streams.
// host only
#pragma once

#include "core/input/block_memory.hpp"

namespace duomap::gpu {

/// Memory from which a GPU copies a block itself: nothing is carried to it by staging threads, which would
/// wait for cores that decompress. Null in a build without CUDA, and for a device that does not answer.
/// Taking memory starts the device.
[[nodiscard]] block_memory* locked_blocks(int device_index);

}  // namespace duomap::gpu
