// A variant whose runs have a process of their own.
// host only
#pragma once

#include "apps/bench/harness/comparison.hpp"

#include <functional>
#include <string>

namespace duomap::apps {

/// Does the work; calls `stop_clock` when the result is complete, then returns its digest.
using solver = std::function<answer_digest(const std::function<void()>& stop_clock)>;

/// A variant that calls `solve` in a child process, so that no run meets the heap, the threads or the page
/// tables that another one left. It must run before this process has started threads.
[[nodiscard]] variant forked_variant(const std::string& name, unsigned threads, const solver& solve,
                                     const run_control& control);

}  // namespace duomap::apps
