// Benchmark tables as Markdown, which is what a terminal shows, too.
// host only
#pragma once

#include "apps/bench/harness/bench_run.hpp"

#include <string>

namespace duomap::apps {

/// "1.23 GB/s", "2.5 TFLOP/s", "45.6 million points/s"; empty without an amount.
[[nodiscard]] std::string work_rate_text(const bench_work& work, double seconds);

/// Where and how it was measured, in one paragraph.
[[nodiscard]] std::string machine_text(const bench_run& run);

/// The table with its title, subject and notes. A column that says nothing, or in all rows the same of which
/// the subject or the machine speaks, is left out; of what was not measured the reason is shown.
[[nodiscard]] std::string markdown_of(const bench_table& table);

/// All of it.
[[nodiscard]] std::string markdown_of(const bench_run& run);

}  // namespace duomap::apps
