// Lists the records that a GPU's blocks or warps find in a text, for comparison with the host's records.
#pragma once

#include "core/chunk.hpp"

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

}  // namespace duomap::test
