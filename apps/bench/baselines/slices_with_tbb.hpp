// A text cut into slices that oneTBB shares among threads: what the plain oneTBB baselines have in common.
// host only
#pragma once

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// Calls use(own, begin, end) for slices of about 1 MB that end behind a newline or at the end of the text,
/// each on one of `threads` threads with that thread's own `State`; then merge(own) for each of those, one
/// after the other.
template <class State, class Use, class Merge>
void for_each_slice_with_tbb(std::string_view text, unsigned threads, const Use& use, const Merge& merge) {
  constexpr std::size_t slice_bytes = 1 << 20;
  const auto line_start = [text](std::size_t at) {
    if (at == 0 || at >= text.size()) return std::min(at, text.size());
    const std::size_t newline = text.find('\n', at - 1);
    return newline == std::string_view::npos ? text.size() : newline + 1;
  };
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    tbb::enumerable_thread_specific<State> per_thread;
    const std::size_t slices = (text.size() + slice_bytes - 1) / slice_bytes;
    tbb::parallel_for(std::size_t{0}, slices, [&](std::size_t slice) {
      use(per_thread.local(), line_start(slice * slice_bytes), line_start((slice + 1) * slice_bytes));
    });
    for (State& own : per_thread) merge(own);
  });
}

}  // namespace duomap::apps
