// The same work in two processes at the same time.
// host only
#pragma once

#include "apps/bench/harness/answer_digest.hpp"
#include "core/run_control.hpp"

#include <functional>
#include <string>

namespace duomap::apps::loops {

/// What runs at the same time, or one after the other, took together, and the answer of all of them.
struct joint_run {
  double seconds = 0;
  answer_digest answer = {};
};

/// Is called in the process that works, and returns the work. A first call of that does not count, because it
/// starts threads and brings pages.
using prepared_work = std::function<std::function<answer_digest()>()>;

/// Two processes do the work once each. Both begin when both are ready, and the clock stops at the later end.
/// The caller must not have started threads.
/// @throws error when their answers differ, and as call_in_subprocess() does
[[nodiscard]] joint_run once_in_two_processes(const std::string& name, const prepared_work& work,
                                              const run_control& control);

/// One process does the work twice.
[[nodiscard]] joint_run twice_in_one_process(const std::string& name, const prepared_work& work,
                                             const run_control& control);

}  // namespace duomap::apps::loops
