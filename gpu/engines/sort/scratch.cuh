// Device memory for intermediate arrays, kept from piece to piece.
#pragma once

#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// The memory of one array. It only grows, because an allocation costs more than most kernels. Each get() may
/// discard the old contents.
class scratch {
 public:
  /// A sixteenth more than asked for, because pieces of similar size differ a little.
  static constexpr std::uint64_t spare = 16;
  /// The least size in bytes, which keeps small arrays from growing often.
  static constexpr std::uint64_t least = std::uint64_t{1} << 14;

  /// Returns memory for an array. @throws device_out_of_memory
  template <class T>
  [[nodiscard]] T* get(std::uint64_t count, const stream& on) {
    const std::uint64_t bytes = count * sizeof(T);
    if (memory_.size() < bytes) {
      memory_ = {};
      memory_ = device_buffer(std::max(bytes + bytes / spare, least), on);
    }
    return memory_.template as<T>();
  }

 private:
  device_buffer memory_;
};

}  // namespace duomap::gpu
