// A text cut into slices that oneTBB shares among threads: what the plain oneTBB baselines have in common.
// host only
#pragma once

#include "apps/bench/baselines/on_tbb_threads.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// The first start of a line from `at` on, or the end of the text.
[[nodiscard]] inline std::size_t line_start(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size()) return std::min(at, text.size());
  return std::min(text.find('\n', at - 1), text.size() - 1) + 1;
}

/// Calls use(own, begin, end) for slices of about 1 MB that end where start_of(text, at) says that a record
/// may start, each on one of `threads` threads with that thread's own `State`; then merge(own) for each of
/// those, one after the other.
template <class State, class Use, class Merge>
void for_each_slice_with_tbb(std::string_view text, unsigned threads, const Use& use, const Merge& merge,
                             std::size_t (*start_of)(std::string_view text, std::size_t at) = line_start) {
  constexpr std::size_t slice_bytes = 1 << 20;
  on_tbb_threads(threads, [&] {
    tbb::enumerable_thread_specific<State> per_thread;
    const std::size_t slices = (text.size() + slice_bytes - 1) / slice_bytes;
    tbb::parallel_for(std::size_t{0}, slices, [&](std::size_t slice) {
      use(per_thread.local(), start_of(text, slice * slice_bytes), start_of(text, (slice + 1) * slice_bytes));
    });
    for (State& own : per_thread) merge(own);
  });
}

}  // namespace duomap::apps
