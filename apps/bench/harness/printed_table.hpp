// A benchmark table as texts: what Markdown and pages show of it.
// host only
#pragma once

#include "apps/bench/harness/bench_run.hpp"

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
  std::string title = {};    ///< a sentence
  std::string subject = {};  ///< sentences: what was measured, how often, whether the answers are equal
  std::vector<printed_head> heads = {};
  std::vector<std::vector<std::string>> rows = {};  ///< each with a cell for each heading
  std::vector<std::string> below = {};              ///< sentences
};

/// A column that says nothing, or in all rows the same of which the subject or the machine speaks, is left
/// out; of what was not measured the reason is shown.
[[nodiscard]] printed_table print_table(const bench_table& table);

/// "1.23 GB/s", "2.5 TFLOP/s", "45.6 million points/s"; empty without an amount.
[[nodiscard]] std::string work_rate_text(const bench_work& work, double seconds);

/// Where and how it was measured, in one paragraph.
[[nodiscard]] std::string machine_text(const bench_run& run);

/// The text as a sentence.
[[nodiscard]] std::string with_period(const std::string& text);

}  // namespace duomap::apps
