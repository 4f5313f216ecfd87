#include "apps/bench/baselines/wordcount/baselines.hpp"
#include "core/record/words.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace duomap::apps {
namespace {

constexpr std::size_t slice_bytes = 1 << 20;

/// The first position from `at` on that is not inside a word.
std::size_t skip_word(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size() || !words::is_word_byte(text[at - 1])) return std::min(at, text.size());
  while (at < text.size() && words::is_word_byte(text[at])) ++at;
  return at;
}

}  // namespace

word_counts count_words_with_tbb(std::string_view text, unsigned threads) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  return arena.execute([&] {
    tbb::enumerable_thread_specific<word_counts> per_thread;
    const std::size_t slices = (text.size() + slice_bytes - 1) / slice_bytes;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, slices),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        word_counts& counts = per_thread.local();
                        for (std::size_t slice = range.begin(); slice < range.end(); ++slice) {
                          const std::size_t end = skip_word(text, (slice + 1) * slice_bytes);
                          std::size_t at = skip_word(text, slice * slice_bytes);
                          while (at < end) {
                            while (at < end && !words::is_word_byte(text[at])) ++at;
                            const std::size_t start = at;
                            while (at < end && words::is_word_byte(text[at])) ++at;
                            if (at > start) ++counts[text.substr(start, at - start)];
                          }
                        }
                      });
    word_counts merged;
    for (const word_counts& counts : per_thread) {
      for (const auto& [word, count] : counts) merged[word] += count;
    }
    return merged;
  });
}

}  // namespace duomap::apps
