// Plain oneTBB with a number of threads: what the baselines with several threads have in common.
// host only
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace duomap::apps {

/// What work() returns, called in an arena of `threads` threads, as many as oneTBB may have meanwhile.
template <class Work>
auto on_tbb_threads(unsigned threads, const Work& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  return arena.execute(work);
}

}  // namespace duomap::apps
