// What a benchmark is given, and the small things that each of them needs.
// host only
#pragma once

#include "core/run_control.hpp"

#include <chrono>

namespace duomap::apps {

/// What a benchmark is given.
struct bench_context {
  run_control& control;  ///< pass it to runs: it carries the interrupt in
  bool quick = false;    ///< --quick: smaller workloads and fewer rounds, minutes instead of many
};

/// @throws interrupted when somebody wants the benchmark to end; called between runs
void stop_if_cancelled(const run_control& control);

/// @throws usage_error in a torture build, whose times say nothing
void refuse_torture();

/// Seconds that work() takes by the clock.
template <class Work>
[[nodiscard]] double seconds_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace duomap::apps
