// Device memory for intermediate arrays, kept from piece to piece.
#pragma once

#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// One array's memory. It only grows, because allocating costs more than most kernels take; what it held is
/// gone with every get().
class scratch {
 public:
  /// Room to spare, since pieces of one size differ a little: a sixteenth.
  static constexpr std::uint64_t spare = 16;
  /// So that small arrays do not grow often: in bytes.
  static constexpr std::uint64_t least = std::uint64_t{1} << 14;

  /// @throws device_out_of_memory
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
