// Declares plain functions for word count, the baseline for duomap's speed. They share only duomap's
// definition of a word and its input layer.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duomap::apps {

/// The count of each word of one text; keys are views into the mapped text.
using word_counts = std::unordered_map<std::string_view, std::uint64_t>;

/// Counts words the way most people write it first: one thread reads byte after byte into one
/// std::unordered_map.
[[nodiscard]] word_counts count_words_in_one_loop(std::string_view text);

/// Counts words with plain oneTBB: a parallel_for over slices of the text fills an std::unordered_map per
/// thread, and one thread merges the maps at the end.
[[nodiscard]] word_counts count_words_with_tbb(std::string_view text, unsigned threads);

}  // namespace duomap::apps
