// Finds the bytes at which the plain text of JSON strings stops, on any device.
#pragma once

#include "core/config.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/load.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)
#include <emmintrin.h>
#endif

namespace duomap::apps {

/// The first quote, backslash or control character from `at` on; `end` if there is none.
[[nodiscard]] DUOMAP_HD inline const char* json_string_stop(const char* at, const char* end) {
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

#if defined(__SSE2__) && !defined(__CUDA_ARCH__)

/// The stops of a text. Vectors find the stops of 64 bytes at once. So the processor knows the place of a
/// stop without waiting for the stop before it.
class json_string_stops {
 public:
  json_string_stops(const char* begin, const char* end)
    : begin_(begin), end_(end), block_(begin), stops_(stops_in(begin)) {}

  /// The first stop behind a quote; the end if there is none.
  [[nodiscard]] const char* behind(const char* quote) {
    if (next() != quote) {  // bytes outside of strings, or escapes, were stops, too
      block_ = begin_ + (quote - begin_) / 64 * 64;
      stops_ = stops_in(block_) & (~std::uint64_t{1} << (quote - block_));
    }
    return next();
  }

 private:
  [[nodiscard]] const char* next() {
    while (stops_ == 0) {
      if (end_ - block_ <= 64) return end_;
      block_ += 64;
      stops_ = stops_in(block_);
    }
    const char* const stop = block_ + std::countr_zero(stops_);
    stops_ &= stops_ - 1;
    return stop;
  }

  /// Bit i: byte i of the 64 bytes is a stop. Bytes behind the end are none.
  [[nodiscard]] std::uint64_t stops_in(const char* block) const {
    std::uint64_t stops = 0;
    for (unsigned i = 0; i < 64; i += 16) {
      const auto left = end_ - block - static_cast<std::ptrdiff_t>(i);
      if (left < 16) return stops | last_stops(left) << i;
      stops |= stops_of(block + i) << i;
    }
    return stops;
  }

  [[nodiscard]] static std::uint64_t stops_of(const char* sixteen) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sixteen));
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    const __m128i stops = _mm_or_si128(_mm_or_si128(quotes, backslashes), controls);
    return static_cast<unsigned>(_mm_movemask_epi8(stops));
  }

  /// The stops of the last bytes of the text, which are fewer than 16.
  [[nodiscard]] std::uint64_t last_stops(std::ptrdiff_t count) const {
    if (count <= 0) return 0;
    if (end_ - begin_ >= 16) return stops_of(end_ - 16) >> (16 - count);
    std::uint64_t stops = 0;
    for (const char* at = json_string_stop(begin_, end_); at < end_; at = json_string_stop(at + 1, end_))
      stops |= std::uint64_t{1} << (at - begin_);
    return stops;
  }

  const char* begin_;
  const char* end_;
  const char* block_;
  std::uint64_t stops_;  // those of the block that next() has not returned
};

#else

/// The stops of a text, looked for one by one.
class json_string_stops {
 public:
  DUOMAP_HD json_string_stops(const char* /*begin*/, const char* end) : end_(end) {}

  /// The first stop behind a quote; the end if there is none.
  [[nodiscard]] DUOMAP_HD const char* behind(const char* quote) { return json_string_stop(quote + 1, end_); }

 private:
  const char* end_;
};

#endif

}  // namespace duomap::apps
