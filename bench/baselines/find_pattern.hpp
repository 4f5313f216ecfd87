// Declares plain functions for string match: the baseline for duomap's speed and the reference for its
// matches.
// host only
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// An occurrence of a pattern: the offset of its first byte, and its line, counted from 1.
struct pattern_place {
  std::uint64_t offset;
  std::uint64_t line;
  friend bool operator==(const pattern_place&, const pattern_place&) = default;
};

/// All occurrences of a pattern, overlapping ones included, found by std::string_view::find on one thread.
[[nodiscard]] std::vector<pattern_place> find_pattern_in_one_loop(std::string_view text,
                                                                  std::string_view pattern);

/// Finds all occurrences with plain oneTBB. A slice ends at a line's end, so `pattern` has no newline.
[[nodiscard]] std::vector<pattern_place> find_pattern_with_tbb(std::string_view text,
                                                               std::string_view pattern, unsigned threads);

}  // namespace duomap::apps
