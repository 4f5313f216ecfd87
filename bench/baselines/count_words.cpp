// Splits a text into words and counts them in a hash map.
#include "bench/baselines/count_words.hpp"

#include "bench/baselines/slices_with_tbb.hpp"
#include "core/record/words.hpp"

#include <algorithm>

namespace duomap::apps {
namespace {

void add_words(std::string_view text, word_counts& counts) {
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && !words::is_word_byte(text[at])) ++at;
    const std::size_t start = at;
    while (at < text.size() && words::is_word_byte(text[at])) ++at;
    if (at > start) ++counts[text.substr(start, at - start)];
  }
}

/// The first position from `at` on that is not inside a word.
std::size_t skip_word(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size() || !words::is_word_byte(text[at - 1])) return std::min(at, text.size());
  while (at < text.size() && words::is_word_byte(text[at])) ++at;
  return at;
}

}  // namespace

word_counts count_words_in_one_loop(std::string_view text) {
  word_counts counts;
  add_words(text, counts);
  return counts;
}

word_counts count_words_with_tbb(std::string_view text, unsigned threads) {
  word_counts merged;
  for_each_slice_with_tbb<word_counts>(
      text, threads,
      [&](word_counts& own, std::size_t begin, std::size_t end) {
        add_words(text.substr(begin, end - begin), own);
      },
      [&](const word_counts& own) {
        for (const auto& [word, count] : own) merged[word] += count;
      },
      skip_word);
  return merged;
}

}  // namespace duomap::apps
