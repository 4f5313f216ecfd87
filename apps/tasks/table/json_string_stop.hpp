// Finds the byte at which the plain text of a JSON string stops, on any device.
#pragma once

#include "core/config.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/load.hpp"

#include <bit>
#include <cstdint>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <emmintrin.h>
#endif

namespace duomap::apps {

/// The first quote, backslash or control character from `at` on; `end` if there is none.
[[nodiscard]] DUOMAP_HD inline const char* json_string_stop(const char* at, const char* end) {
#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    const int stops = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls));
    if (stops != 0) return at + std::countr_zero(static_cast<unsigned>(stops));
  }
#endif
  for (; at < end; at += 8) {
    const auto left = static_cast<std::uint64_t>(end - at);
    const std::uint64_t word = left >= 8 ? load_eight(at) : load_some(at, static_cast<unsigned>(left));
    const std::uint64_t quotes = word ^ duomap::detail::each_byte * '"';
    const std::uint64_t backslashes = word ^ duomap::detail::each_byte * '\\';
    // The lowest byte with 0x80 is right; bytes above it may be wrong. Zeros behind the end are controls.
    const std::uint64_t stops = (((quotes - duomap::detail::each_byte) & ~quotes) |
                                 ((backslashes - duomap::detail::each_byte) & ~backslashes) |
                                 ((word - duomap::detail::each_byte * 0x20) & ~word)) &
                                duomap::detail::each_byte * 0x80;
    if (stops != 0) return at + zero_bytes_below(stops);
  }
  return end;
}

}  // namespace duomap::apps
