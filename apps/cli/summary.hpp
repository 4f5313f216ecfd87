// What a run did, for people and for programs.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/memory.hpp"
#include "apps/cli/quantity.hpp"
#include "core/report.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// A run's report and what only the program around it can measure.
struct run_summary {
  run_report report;
  input_unit unit = input_unit::bytes;  ///< of the report's units
  run_figures figures;
  run_explanation explanation;
  double wall_seconds = 0;  ///< from opening the inputs to the last byte of the result
  memory_use memory;        ///< peaks
  std::string preview;      ///< the first rows as they were written; empty: no text, or nobody wants it
};

/// Two or more lines without line ends: the result and the speed, each executor's share when there are
/// several, time and memory, and the report's notes.
[[nodiscard]] std::vector<std::string> summary_lines(const run_summary& summary);

/// The plan, and what came of it (--explain).
[[nodiscard]] std::vector<std::string> explained_lines(const run_summary& summary);

/// One JSON object on one line, with a line end. Names end with their unit; seconds are wall-clock except
/// executors[].busy_seconds, which is summed over workers.
[[nodiscard]] std::string summary_json(const run_summary& summary);

}  // namespace duomap::apps
