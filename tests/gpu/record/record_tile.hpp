// Lists the records that a GPU's blocks and warps find in their tiles of a text; tests compare them with the
// host's records.
#pragma once

#include "core/chunk.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test {

/// Offset and size of each record, in the order of the tiles.
using record_places = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The records that blocks find, or single warps. `Format` is words or lines.
template <class Format>
[[nodiscard]] record_places places_by_blocks(const std::string& text, int device);
template <class Format>
[[nodiscard]] record_places places_by_warps(const std::string& text, int device);

}  // namespace duomap::test
