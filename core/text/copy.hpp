// Copies texts into a local buffer, for maps.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/load.hpp"

#include <cstdint>
#include <cstring>

namespace duomap {

namespace detail {

/// Writes exactly text.size bytes to `to`, which must not overlap the text.
template <class MapWord>
DUOMAP_HD void copy_mapped(char* to, byte_view text, const MapWord& map_word) {
  std::uint64_t i = 0;
  for (; i + 8 <= text.size; i += 8) {
    const std::uint64_t word = map_word(load_eight(text.data + i));
    memcpy(to + i, &word, sizeof word);
  }
  std::uint64_t word = map_word(load_some(text.data + i, static_cast<unsigned>(text.size - i)));
  for (; i < text.size; ++i, word >>= 8) to[i] = static_cast<char>(word & 0xFF);
}

}  // namespace detail

/// Copies a text to `to`, which has room for text.size bytes and must not overlap the text.
DUOMAP_HD inline void copy(char* to, byte_view text) {
  detail::copy_mapped(to, text, [](std::uint64_t word) { return word; });
}

}  // namespace duomap
