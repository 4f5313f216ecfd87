// Writes the summary of a run, for people and for programs.
// host only
#pragma once

#include "apps/report/explanation.hpp"
#include "apps/report/memory.hpp"
#include "apps/report/quantity.hpp"
#include "core/report.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// A run's report, and measurements that the program makes around the run.
struct run_summary {
  run_report report;
  input_unit unit = input_unit::bytes;  ///< of the report's units
  bool stores_partial = false;          ///< the results are values in a stored partial
  run_figures figures;
  run_explanation explanation;
  double wall_seconds = 0;  ///< from opening the inputs to the last byte of the result
  memory_use memory;        ///< peaks
  std::string preview;      ///< the first rows as written; empty: they are no text, or no page shows them
};

/// Two or more lines without line ends: the result and the speed, the executors' shares if there are several
/// executors, time and memory, and the report's notes.
[[nodiscard]] std::vector<std::string> summary_lines(const run_summary& summary);

/// Explains the work of each executor (--explain).
[[nodiscard]] std::vector<std::string> explained_lines(const run_summary& summary);

/// One JSON object on one line, with a line end. Names end with their unit. Seconds are wall-clock time, but
/// executors[].busy_seconds is a sum over the workers.
[[nodiscard]] std::string summary_json(const run_summary& summary);

}  // namespace duomap::apps
