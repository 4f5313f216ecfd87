// A benchmark table as texts, for Markdown and pages.
// host only
#pragma once

#include "bench/harness/bench_run.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// A heading of a column.
struct printed_head {
  std::string text;
  bool number = true;  ///< its cells are aligned to the right
};

/// Texts without any markup.
struct printed_table {
  std::string title = {};    ///< one sentence
  std::string subject = {};  ///< sentences about the work, the number of runs and whether answers are equal
  std::vector<printed_head> heads = {};
  std::vector<std::vector<std::string>> rows = {};  ///< each with a cell for each heading
  std::vector<std::string> below = {};              ///< sentences
};

/// Leaves out columns whose cells are all empty, and a workload or device that all rows share. Shows why a
/// row was not measured.
[[nodiscard]] printed_table print_table(const bench_table& table);

/// "1.23 GB/s", "2.5 TFLOP/s", "45.6 million points/s"; empty without an amount.
[[nodiscard]] std::string work_rate_text(const bench_work& work, double seconds);

/// The machine, the build and the date of a run, in one paragraph.
[[nodiscard]] std::string machine_text(const bench_run& run);

/// The text with a period at its end.
[[nodiscard]] std::string with_period(const std::string& text);

}  // namespace duomap::apps
