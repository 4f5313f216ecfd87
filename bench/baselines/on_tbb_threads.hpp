// Runs plain oneTBB on a fixed number of threads, for the baselines with several threads.
// host only
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace duomap::apps {

/// Calls work() in an arena of `threads` threads and returns its result. Until work() returns, oneTBB uses at
/// most `threads` threads in the whole process.
template <class Work>
auto on_tbb_threads(unsigned threads, const Work& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  return arena.execute(work);
}

}  // namespace duomap::apps
