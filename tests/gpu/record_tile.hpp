// Records as tiles of a device find them, for comparison with the host's.
#pragma once

#include "core/chunk.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test {

/// Offset and size of each record, in the order of the tiles.
using record_places = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// By tiles of blocks, or of warps. `Format` is words or lines.
template <class Format>
[[nodiscard]] record_places places_by_blocks(const std::string& text, int device);
template <class Format>
[[nodiscard]] record_places places_by_warps(const std::string& text, int device);

}  // namespace duomap::test
