// Device memory for intermediate arrays, kept from piece to piece.
#pragma once

#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// One array's memory. It only grows, because allocating costs more than most kernels take; what it held is
/// gone with every get().
class scratch {
 public:
  /// Room to spare, since pieces of one size differ a little: a sixteenth.
  static constexpr std::uint64_t spare = 16;

  /// @throws device_out_of_memory
  template <class T>
  [[nodiscard]] T* get(std::uint64_t count, const stream& on) {
    const std::uint64_t bytes = count * sizeof(T);
    if (memory_.size() < bytes) {
      memory_ = {};
      memory_ = device_buffer(bytes + bytes / spare, on);
    }
    return memory_.template as<T>();
  }

 private:
  device_buffer memory_;
};

}  // namespace duomap::gpu
