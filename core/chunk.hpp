// The unit of work: a record-aligned slice of one source.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>

namespace duomap {

/// Bytes after the end of every chunk that may be read (their values mean nothing), so that vector loads
/// need no special case at the end of the input. Every source and every device buffer keeps this promise.
inline constexpr std::uint64_t read_padding = 64;

/// Whole records of one source. Copying a chunk copies no data.
struct chunk {
  /// The records' bytes, followed by `read_padding` readable bytes; nullptr for sources without bytes
  /// (index ranges).
  const char* data = nullptr;
  /// Number of units: bytes, or indices for an index range.
  std::uint64_t size = 0;
  /// Position of the first unit in its source, in the same unit (after decompression).
  std::uint64_t offset = 0;
  /// Index of the source in its input.
  std::uint32_t source = 0;

  [[nodiscard]] DUOMAP_HD constexpr byte_view bytes() const { return {data, size}; }
};

}  // namespace duomap
