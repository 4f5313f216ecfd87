// Plain programs for word count: what duomap is measured against. They share its definition of a word and its
// input layer, nothing else. host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duomap::apps {

/// Counts of one text; keys are views into the mapped text.
using word_counts = std::unordered_map<std::string_view, std::uint64_t>;

/// The loop everybody writes first: one thread, one byte after the other, one std::unordered_map.
[[nodiscard]] word_counts count_words_in_one_loop(std::string_view text);

/// The same with plain oneTBB: a parallel_for over slices of the text, an std::unordered_map per thread,
/// merged at the end by one thread.
[[nodiscard]] word_counts count_words_with_tbb(std::string_view text, unsigned threads);

}  // namespace duomap::apps
