// Moves both ends of a slice to the beginning of a record.
#include "core/input/slice.hpp"

#include "core/error.hpp"

namespace duomap {

std::optional<chunk> slice(const source& whole, std::uint32_t source_index, std::uint64_t from,
                           std::uint64_t to, const boundary& records) {
  expects(whole.addressable(), "only addressable sources can be sliced");
  expects(from <= to && to <= whole.units(), "a slice must lie inside its source");

  // If `whole` is itself a slice, positions count from the beginning of the larger source, because a format
  // may look at the bytes in front of a slice.
  const source_place place = whole.place();
  const std::uint64_t units = place.offset + whole.units();
  from += place.offset;
  to += place.offset;
  const char* const data = whole.bytes().data == nullptr ? nullptr : whole.bytes().data - place.offset;
  // For an index range `data` is null. The boundary of an index range reads no byte.
  const byte_view all(data, units);
  const std::uint64_t begin = records.first_start(all, from, to);
  if (begin == to) {
    return std::nullopt;  // a record that starts at `to` belongs to the next slice
  }
  const std::uint64_t end = to == units ? units : records.first_start(all, to, units);
  return chunk{data == nullptr ? nullptr : data + begin, end - begin, begin,
               place.source.value_or(source_index)};
}

}  // namespace duomap
