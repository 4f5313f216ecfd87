// Cuts an input into parts. Separate programs map the parts, on one machine or several.
// host only
#pragma once

#include "core/boundary.hpp"
#include "core/input/input.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace duomap {

/// The records that begin in [begin, end) of a source. Slices that tile a source have each record once.
struct input_slice {
  std::uint32_t source = 0;  ///< its number in the whole input
  std::uint64_t begin = 0;   ///< in units: bytes, or indices of an index range
  std::uint64_t end = 0;     ///< whole_stream for a stream, which is read whole or not at all

  friend bool operator==(const input_slice&, const input_slice&) = default;
};
inline constexpr std::uint64_t whole_stream = UINT64_MAX;

/// The slices of part `index` of `count` parts, which have about the same number of bytes and together tile
/// the input. A stream belongs to the part that has its first stored byte. Requires index < count < 2^32.
[[nodiscard]] std::vector<input_slice> part_of_input(const input& whole, std::uint64_t index,
                                                     std::uint64_t count);

/// Makes an input of the records of some slices. Its sources and records keep their numbers and places in
/// `whole`, which must outlive the new input.
/// @throws usage_error when a slice does not lie in its source
[[nodiscard]] input slice_input(const input& whole, std::span<const input_slice> slices,
                                const boundary& records);

}  // namespace duomap
