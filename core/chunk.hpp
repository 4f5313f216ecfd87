// The unit of work: a record-aligned slice of one source.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <type_traits>

namespace duomap {

/// The number of readable bytes behind the end of every chunk, so that vector loads need no special case
/// there. The values of these bytes mean nothing. Only rows of fixed size may stand in memory without such
/// bytes (core/input/input.hpp).
inline constexpr std::uint64_t read_padding = 64;

/// Whole records of one source. Copying a chunk copies no data.
struct chunk {
  /// The records' bytes, followed by `read_padding` readable bytes; nullptr for index ranges.
  const char* data = nullptr;
  /// Number of units: bytes, or indices for an index range.
  std::uint64_t size = 0;
  /// Position of the first unit in its source, in units, after decompression.
  std::uint64_t offset = 0;
  /// Index of the source in its input.
  std::uint32_t source = 0;

  [[nodiscard]] DUOMAP_HD constexpr byte_view bytes() const { return {data, size}; }
};

/// The place at which a record of a chunk begins in its source, in units. A record that does not know its own
/// place gets the place of the chunk.
template <class Record>
[[nodiscard]] std::uint64_t offset_of(const Record& record, const chunk& part) {
  const char* bytes = nullptr;
  if constexpr (std::is_same_v<Record, std::uint64_t>) {
    return record;
  } else if constexpr (requires { record.offset; }) {
    return record.offset;
  } else if constexpr (requires { record.whole().offset; }) {
    return record.whole().offset;
  } else if constexpr (std::is_same_v<Record, byte_view>) {
    bytes = record.data;
  } else if constexpr (requires { record.values; }) {
    bytes = reinterpret_cast<const char*>(record.values);
  }
  const auto behind = reinterpret_cast<std::uintptr_t>(bytes) - reinterpret_cast<std::uintptr_t>(part.data);
  return part.offset + (behind <= part.size ? behind : 0);
}

}  // namespace duomap
