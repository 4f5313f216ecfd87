// Makes variants whose every run has a process of its own.
// host only
#pragma once

#include "bench/harness/comparison.hpp"

#include <functional>
#include <string>

namespace duomap::apps {

/// Solves the task, calls `stop_clock` when the result is complete, then returns the result's digest.
using solver = std::function<answer_digest(const std::function<void()>& stop_clock)>;

/// Makes a variant that calls `solve` in a child process, so that no run meets the heap, threads or page
/// tables of an earlier run. Run it before this process has started threads.
[[nodiscard]] variant forked_variant(const std::string& name, unsigned threads, const solver& solve,
                                     const run_control& control);

}  // namespace duomap::apps
