// Lists the records that a GPU's blocks or warps find in a text, for comparison with the host's records.
#pragma once

#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/record/fields.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test {

/// The offset and size of each record, tile by tile.
using record_places = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The records that blocks find, and those that single warps find. `Format` is words or lines.
template <class Format>
[[nodiscard]] record_places places_by_blocks(const std::string& text, int device);
template <class Format>
[[nodiscard]] record_places places_by_warps(const std::string& text, int device);

/// A number that depends on the place and the size of each field of a line.
[[nodiscard]] DUOMAP_HD inline std::uint64_t field_sum(const field_list& record) {
  std::uint64_t sum = 0;
  record.for_each([&](std::uint64_t index, byte_view field) {
    const auto start = static_cast<std::uint64_t>(field.data - record.whole().text.data);
    sum = sum * 31 + (index + 1) * (start + 1) + field.size;
  });
  return sum;
}

/// The offset and the field_sum() of each line that single warps find.
[[nodiscard]] record_places fields_by_warps(const std::string& text, const fields& format, int device);

}  // namespace duomap::test
