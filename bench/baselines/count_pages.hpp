// Declares plain functions for page view count and rank over web server logs: the baseline for duomap's speed
// and the reference for its counts.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duomap::apps {

/// The number of clients of each page; keys are views into the text.
using page_counts = std::unordered_map<std::string_view, std::uint64_t>;

/// Counts the different clients of each page on one thread, with a set of the pairs of page and client seen
/// so far. Takes every line to be in common or combined format: the client is the first word, the page the
/// second word of the first quoted text.
[[nodiscard]] page_counts count_clients_in_one_loop(std::string_view log);

/// Counts the different clients of each page with plain oneTBB: each thread fills a set of its own, and one
/// thread merges the sets at the end.
[[nodiscard]] page_counts count_clients_with_tbb(std::string_view log, unsigned threads);

/// The `most` pages with the most views; pages with equal views are in the order of their bytes.
[[nodiscard]] std::vector<std::pair<std::string_view, std::uint64_t>> rank_pages(const page_counts& counts,
                                                                                 std::uint64_t most);

}  // namespace duomap::apps
