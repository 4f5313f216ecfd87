// Plain programs for string match: what duomap is measured against, and what its matches are compared with.
// host only
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// An occurrence: the offset of its first byte, and its line, from 1.
struct pattern_place {
  std::uint64_t offset;
  std::uint64_t line;
  friend bool operator==(const pattern_place&, const pattern_place&) = default;
};

/// All occurrences of a pattern, overlapping ones too, by std::string_view::find on one thread.
[[nodiscard]] std::vector<pattern_place> find_pattern_in_one_loop(std::string_view text,
                                                                  std::string_view pattern);

/// The same with plain oneTBB. The pattern has no newline: no occurrence is cut where a line ends.
[[nodiscard]] std::vector<pattern_place> find_pattern_with_tbb(std::string_view text,
                                                               std::string_view pattern, unsigned threads);

}  // namespace duomap::apps
