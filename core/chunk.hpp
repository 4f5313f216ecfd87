// The unit of work: a record-aligned slice of one source.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <type_traits>

namespace duomap {

/// The number of bytes behind every chunk that may be read, so that vector loads need no special case at the
/// end. Their values mean nothing. Only memory of rows of fixed size may end without them
/// (core/input/input.hpp).
inline constexpr std::uint64_t read_padding = 64;

/// Whole records of one source. Copying a chunk copies no data.
struct chunk {
  /// The records' bytes, followed by `read_padding` readable bytes; nullptr for sources without bytes
  /// (index ranges).
  const char* data = nullptr;
  /// Number of units: bytes, or indices for an index range.
  std::uint64_t size = 0;
  /// Position of the first unit in its source, in units, after decompression.
  std::uint64_t offset = 0;
  /// Index of the source in its input.
  std::uint32_t source = 0;

  [[nodiscard]] DUOMAP_HD constexpr byte_view bytes() const { return {data, size}; }
};

/// The place in its source at which a record of a chunk begins, in units; the place of the chunk if the
/// record cannot tell.
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
