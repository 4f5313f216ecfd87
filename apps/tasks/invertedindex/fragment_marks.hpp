// Finds the ends of tags and comments in a fragment of HTML, in one pass, eight bytes at a time.
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

/// Sets bit 7 of each byte of `word` that equals `byte`. All other bits are 0.
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

/// The number of bytes in front of the '>' at `place` that end a comment with it: 2 for "-->", 3 for "--!>".
/// 0 if no comment ends there.
[[nodiscard]] DUOMAP_HD inline unsigned comment_end_before(byte_view text, std::uint64_t place) {
  const unsigned bang = place > 0 && text[place - 1] == '!' ? 1 : 0;
  const std::uint64_t dashes = place - bang;
  return dashes >= 2 && text[dashes - 1] == '-' && text[dashes - 2] == '-' ? 2 + bang : 0;
}

/// The end of a comment.
struct comment_end {
  std::uint64_t end = not_found;  ///< behind its '>'
  unsigned dashes_before = 0;     ///< comment_end_before() for that '>'
};

/// The first end of a comment whose '>' stands at `from` or later.
[[nodiscard]] DUOMAP_HD inline comment_end next_comment_end(byte_view text, std::uint64_t from) {
  for (std::uint64_t at = find_byte(text, '>', from); at < text.size; at = find_byte(text, '>', at + 1)) {
    if (const unsigned before = comment_end_before(text, at); before != 0) return {at + 1, before};
  }
  return {};
}

struct fragment_marks {
  /// Whether a comment ends in the fragment.
  bool comment_end = false;
  /// Whether the tag or declaration at the beginning of the fragment certainly ends in the fragment. It does
  /// if a '>' stands before all quotes. It also does if a '>' stands behind all quotes and the last quote of
  /// each kind does not follow a '=', because only such a quote can open a value.
  bool ends_tag = false;
};

[[nodiscard]] DUOMAP_HD inline fragment_marks marks_of(byte_view text) {
  fragment_marks marks;
  std::uint64_t behind_quote[2] = {0, 0};  // behind the last quote of each kind
  std::uint64_t behind_end = 0;            // behind the last '>'
  for (std::uint64_t at = 0; at < text.size; at += 8) {
    const std::uint64_t left = text.size - at;
    const std::uint64_t word =
        left < 8 ? load_some(text.data + at, static_cast<unsigned>(left)) : load_eight(text.data + at);
    const std::uint64_t twice = detail::bytes_equal_to(word, '"');
    const std::uint64_t once = detail::bytes_equal_to(word, '\'');
    const std::uint64_t ends = detail::bytes_equal_to(word, '>');
    if (ends != 0) {
      const std::uint64_t quotes = twice | once;
      const bool first = (behind_quote[0] | behind_quote[1] | behind_end) == 0;
      // The lowest bit of both masks together belongs to a '>'.
      if (first && ((ends | quotes) & ~((ends | quotes) - 1) & ends) != 0) marks.ends_tag = true;
      behind_end = at + detail::highest_byte(ends) + 1;
      for (std::uint64_t rest = ends; rest != 0; rest &= rest - 1) {
        if (comment_end_before(text, at + zero_bytes_below(rest)) != 0) marks.comment_end = true;
      }
    }
    if (twice != 0) behind_quote[0] = at + detail::highest_byte(twice) + 1;
    if (once != 0) behind_quote[1] = at + detail::highest_byte(once) + 1;
  }
  if (marks.ends_tag || behind_end <= behind_quote[0] || behind_end <= behind_quote[1]) return marks;
  marks.ends_tag = true;
  for (const std::uint64_t behind : behind_quote) {
    if (behind == 0) continue;
    std::uint64_t before = behind - 1;
    while (before > 0 && is_html_space(text[before - 1])) --before;
    if (before > 0 && text[before - 1] == '=') marks.ends_tag = false;
  }
  return marks;
}

}  // namespace duomap::apps
