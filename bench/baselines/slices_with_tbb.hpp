// Cuts a text into slices and shares them among oneTBB threads, for the plain oneTBB baselines.
// host only
#pragma once

#include "bench/baselines/on_tbb_threads.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// The first start of a line at or after `at`, or the end of the text.
[[nodiscard]] inline std::size_t line_start(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size()) return std::min(at, text.size());
  return std::min(text.find('\n', at - 1), text.size() - 1) + 1;
}

/// Cuts the text into slices of about 1 MB. start_of(text, at) moves each cut to the next start of a record.
/// Each thread has a `State` of its own and calls use(state, begin, end) for its slices. At the end one
/// thread calls merge(state) for each state.
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
