// What matters in a fragment of HTML beside its name, found in one pass, eight bytes at a time.
#pragma once

#include "apps/tasks/invertedindex/tag.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/find.hpp"
#include "core/text/load.hpp"

#include <bit>
#include <cstdint>

namespace duomap::apps {

namespace detail {

/// Bit 7 of each byte of a word that is `byte`, and no other bit.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t bytes_equal_to(std::uint64_t word, char byte) {
  constexpr std::uint64_t low_bits = duomap::detail::each_byte * 0x7F;
  const std::uint64_t differs = word ^ duomap::detail::each_byte * static_cast<unsigned char>(byte);
  return ~(((differs & low_bits) + low_bits) | differs | low_bits);
}

[[nodiscard]] DUOMAP_HD inline unsigned highest_byte(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned>(63 - __clzll(static_cast<long long>(word))) / 8;
#else
  return static_cast<unsigned>(63 - std::countl_zero(word)) / 8;
#endif
}

}  // namespace detail

/// Whether a comment ends with the '>' at `place`: with "-->" or "--!>".
[[nodiscard]] DUOMAP_HD inline bool ends_comment(byte_view text, std::uint64_t place) {
  const std::uint64_t dashes = place > 0 && text[place - 1] == '!' ? place - 1 : place;
  return dashes >= 2 && text[dashes - 1] == '-' && text[dashes - 2] == '-';
}

/// Behind the first end of a comment whose '>' stands at `from` or later; not_found if there is none.
[[nodiscard]] DUOMAP_HD inline std::uint64_t next_comment_end(byte_view text, std::uint64_t from) {
  for (std::uint64_t at = find_byte(text, '>', from); at < text.size; at = find_byte(text, '>', at + 1)) {
    if (ends_comment(text, at)) return at + 1;
  }
  return not_found;
}

struct fragment_marks {
  /// Whether a comment ends in it.
  bool comment_end = false;
  /// Whether a tag that begins with it might not end in it. Only within a quoted value a tag goes on: one
  /// that the last quote of its kind opens, so behind a '='.
  bool open_quote = false;
};

[[nodiscard]] DUOMAP_HD inline fragment_marks marks_of(byte_view text) {
  fragment_marks marks;
  std::uint64_t behind_quote[2] = {0, 0};  // the last of each kind
  for (std::uint64_t at = 0; at < text.size; at += 8) {
    const std::uint64_t left = text.size - at;
    const std::uint64_t word =
        left < 8 ? load_some(text.data + at, static_cast<unsigned>(left)) : load_eight(text.data + at);
    for (std::uint64_t ends = detail::bytes_equal_to(word, '>'); ends != 0; ends &= ends - 1) {
      if (ends_comment(text, at + zero_bytes_below(ends))) marks.comment_end = true;
    }
    const std::uint64_t twice = detail::bytes_equal_to(word, '"');
    const std::uint64_t once = detail::bytes_equal_to(word, '\'');
    if (twice != 0) behind_quote[0] = at + detail::highest_byte(twice) + 1;
    if (once != 0) behind_quote[1] = at + detail::highest_byte(once) + 1;
  }
  for (const std::uint64_t behind : behind_quote) {
    if (behind == 0) continue;
    std::uint64_t before = behind - 1;
    while (before > 0 && is_html_space(text[before - 1])) --before;
    if (before > 0 && text[before - 1] == '=') marks.open_quote = true;
  }
  return marks;
}

}  // namespace duomap::apps
