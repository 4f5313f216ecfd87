// Times the same work in two processes at once, and twice in one process.
// host only
#pragma once

#include "bench/harness/answer_digest.hpp"
#include "core/run_control.hpp"

#include <functional>
#include <string>

namespace duomap::apps::loops {

/// Two runs of the same work, at the same time or one after the other: their time together and their answer.
struct joint_run {
  double seconds = 0;
  answer_digest answer = {};
};

/// Prepares the work in the process that will do it, and returns the work as a function. The first call of
/// this function is not timed, because it starts threads and loads pages.
using prepared_work = std::function<std::function<answer_digest()>()>;

/// Two processes do the work once each. Both start when both are ready, and the clock stops when the later
/// one ends. The caller must not have started threads.
/// @throws error when their answers differ; any exception of call_in_subprocess()
[[nodiscard]] joint_run once_in_two_processes(const std::string& name, const prepared_work& work,
                                              const run_control& control);

/// One process does the work twice.
[[nodiscard]] joint_run twice_in_one_process(const std::string& name, const prepared_work& work,
                                             const run_control& control);

}  // namespace duomap::apps::loops
