// A part of a source in device memory that can grow and shrink. For host code; needs CUDA's headers.
#pragma once

#include "core/chunk.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Bytes of one source that stay on the device that was current when it was made. Used by one thread, with
/// that device current.
class resident_part {
 public:
  /// `on` must outlive it.
  explicit resident_part(const stream& on) : on_(on) {}

  /// Bytes that it may have: those it has, and what is free but for a reserve for the device's other buffers.
  [[nodiscard]] std::uint64_t most_bytes() const;

  /// Makes it hold `part` (of the source of the earlier ones), whose first record then begins the buffer. Of
  /// memory of a GPU nothing is copied from the host; what is this GPU's own and aligned is used where it
  /// lies. What it has had since it last held nothing is not copied from the host again, also what an earlier
  /// part ended before. Returns the bytes that were copied from the host, when they are there.
  /// @throws device_out_of_memory: then it holds nothing
  std::uint64_t hold(const chunk& part);

  /// The part, its bytes on the device.
  [[nodiscard]] const chunk& get() const noexcept { return part_; }

 private:
  [[nodiscard]] bool can_use_in_place(const chunk& part) const;
  void make_room(const chunk& part);
  void copy(const char* from, std::uint64_t bytes, char* to) const;

  const stream& on_;
  device_buffer bytes_;
  chunk part_;
  // What is in the buffer, from its begin on: units of the source.
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace duomap::gpu
