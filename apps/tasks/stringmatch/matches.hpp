// Goes through the matches of a string match and finds the numbers of their lines.
// host only
#pragma once

#include "apps/tasks/stringmatch/stringmatch.hpp"
#include "core/result.hpp"

#include <cstdint>

namespace duomap::apps {

/// One occurrence of a pattern.
struct match {
  std::uint32_t source;   ///< index in the input
  std::uint64_t offset;   ///< of the match's first byte in its source, from 0
  std::uint64_t line;     ///< from 1
  std::uint32_t pattern;  ///< index in the pattern_list
};

/// Calls use(match) for every match in input order. At one place shorter patterns come first.
template <class Use>
void for_each_match(const result_for<stringmatch>& found, Use&& use) {
  std::uint32_t source = 0;
  std::uint64_t newlines = 0;  // newlines in the finished groups of the source
  found.for_each([&](std::uint32_t pattern, const place& at) {
    if (at.source != source) {
      source = at.source;
      newlines = 0;
    }
    if (pattern == stringmatch::group_end) {
      newlines += at.newlines;
    } else {
      use(match{source, at.offset, newlines + at.newlines + 1, pattern});
    }
  });
}

}  // namespace duomap::apps
