// A run in words: what was planned, and what came of it.
#pragma once

#include "core/iterative_report.hpp"
#include "core/report.hpp"

#include <string>
#include <vector>

namespace duomap::scheduler {

/// Lines for people: the plan with its reasons, and for each executor its part, its speed, what it waited for
/// and what went wrong. Units are counted, not scaled: they may be bytes or indices.
[[nodiscard]] std::vector<std::string> explain(const run_report& report);

/// Whether a job in steps has made a plan: it does when speeds of several executors are known.
[[nodiscard]] bool has_plan(const iterative_report& report);

/// The same for the steps of an iterative job so far.
[[nodiscard]] std::vector<std::string> explain(const iterative_report& report);

}  // namespace duomap::scheduler
