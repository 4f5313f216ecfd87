// Explains a run in words: the part of each executor, and why it got this part.
#pragma once

#include "core/iterative_report.hpp"
#include "core/report.hpp"

#include <string>
#include <vector>

namespace duomap::scheduler {

/// Lines for people. They tell each executor's part, or why it has none, its speed, its waiting time and its
/// trouble. Units are counted and not scaled, because they may be bytes or indices.
[[nodiscard]] std::vector<std::string> explain(const run_report& report);

/// The lines for the steps of an iterative job so far.
[[nodiscard]] std::vector<std::string> explain(const iterative_report& report);

}  // namespace duomap::scheduler
