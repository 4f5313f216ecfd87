// Finds a text in another text.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/compare.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/letter_case.hpp"

#include <cstdint>

namespace duomap {

/// Returned by a search if the text does not occur.
inline constexpr std::uint64_t not_found = ~std::uint64_t{0};

namespace detail {

template <class MapWord, class EqualBytes>
[[nodiscard]] DUOMAP_HD std::uint64_t find_mapped(byte_view text, byte_view wanted, std::uint64_t from,
                                                  const MapWord& map_word, const EqualBytes& equal_bytes) {
  if (from > text.size || wanted.size > text.size - from) return not_found;
  if (wanted.size == 0) return from;
  const byte_view starts = text.sub(0, text.size - wanted.size + 1);
  const auto first = static_cast<char>(map_word(static_cast<unsigned char>(wanted[0])) & 0xFF);
  for (std::uint64_t at = from;; ++at) {
    at = find_mapped_byte(starts, first, at, map_word);
    if (at >= starts.size) return not_found;
    if (equal_bytes(text.sub(at, wanted.size), wanted)) return at;
  }
}

}  // namespace detail

/// The first position, from `from` on, at which `wanted` begins; not_found if there is none. An empty text
/// begins at every position, also at the end.
[[nodiscard]] DUOMAP_HD inline std::uint64_t find(byte_view text, byte_view wanted, std::uint64_t from = 0) {
#if defined(__CUDA_ARCH__)
  return detail::find_mapped(
      text, wanted, from, [](std::uint64_t word) { return word; },
      [](byte_view a, byte_view b) { return equal(a, b); });
#else
  return text.text().find(wanted.text(), from);
#endif
}

/// Like find(), but ignores the case of ASCII letters.
[[nodiscard]] DUOMAP_HD inline std::uint64_t find_ignoring_case(byte_view text, byte_view wanted,
                                                                std::uint64_t from = 0) {
  return detail::find_mapped(
      text, wanted, from, [](std::uint64_t word) { return to_lower_ascii(word); },
      [](byte_view a, byte_view b) { return equal_ignoring_case(a, b); });
}

}  // namespace duomap
