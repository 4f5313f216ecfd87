#include "apps/bench/baselines/wordcount/baselines.hpp"
#include "core/record/words.hpp"

namespace duomap::apps {

word_counts count_words_in_one_loop(std::string_view text) {
  word_counts counts;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && !words::is_word_byte(text[at])) ++at;
    const std::size_t start = at;
    while (at < text.size() && words::is_word_byte(text[at])) ++at;
    if (at > start) ++counts[text.substr(start, at - start)];
  }
  return counts;
}

}  // namespace duomap::apps
