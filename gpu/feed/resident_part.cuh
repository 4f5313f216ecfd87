// Keeps a part of a source in device memory; the part can grow and shrink. For host code; needs CUDA's
// headers.
#pragma once

#include "core/chunk.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// Keeps bytes of one source on the device that was current at construction. Used by one thread, with that
/// device current.
class resident_part {
 public:
  /// `on` must outlive this object.
  explicit resident_part(const stream& on) : on_(on) {}

  /// The most bytes that the part may have: the bytes that it has now, and the free device memory without a
  /// reserve for other buffers.
  [[nodiscard]] std::uint64_t most_bytes() const;

  /// Makes the part equal to `part`, which must come from the same source as earlier parts. The buffer then
  /// begins with the first record of `part`. Bytes that have arrived since the buffer was last empty stay in
  /// it and are not copied again, even bytes behind the end of an earlier, shorter part. A source in a GPU's
  /// memory is not copied from the host; in this GPU's memory, and aligned, it is used in place. Returns when
  /// the bytes have arrived, with the number of bytes that came from the host.
  /// @throws device_out_of_memory, and the part is then empty
  std::uint64_t hold(const chunk& part);

  /// The part; its data points to device memory.
  [[nodiscard]] const chunk& get() const noexcept { return part_; }

 private:
  [[nodiscard]] bool can_use_in_place(const chunk& part) const;
  void make_room(const chunk& part);
  void copy(const char* from, std::uint64_t bytes, char* to) const;

  const stream& on_;
  device_buffer bytes_;
  chunk part_;
  // The range of the source, in its units, with which the buffer begins.
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace duomap::gpu
