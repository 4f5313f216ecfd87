// Plain programs for page view count and rank, over web server logs: what duomap is measured against,
// and what its counts are compared with. host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duomap::apps {

/// Views of each page; keys are views into the text.
using page_counts = std::unordered_map<std::string_view, std::uint64_t>;

/// How many different clients asked for each page: one thread, a set of the pairs seen so far and a map of
/// counts. Takes every line for one in common or combined format: the client is its first word, the page the
/// second word of the first quoted text.
[[nodiscard]] page_counts count_pages_in_one_loop(std::string_view log);

/// The same with plain oneTBB: a set for each thread, merged at the end by one.
[[nodiscard]] page_counts count_pages_with_tbb(std::string_view log, unsigned threads);

/// The `most` pages with the most views, pages with as many by their bytes.
[[nodiscard]] std::vector<std::pair<std::string_view, std::uint64_t>> rank_pages(const page_counts& counts,
                                                                                 std::uint64_t most);

}  // namespace duomap::apps
