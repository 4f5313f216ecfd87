// Benchmark tables as Markdown, which is what a terminal shows, too.
// host only
#pragma once

#include "apps/bench/harness/printed_table.hpp"

#include <string>

namespace duomap::apps {

/// The headings, the rows and what is said below.
[[nodiscard]] std::string markdown_of(const printed_table& table);

/// The table with its title, subject and notes.
[[nodiscard]] std::string markdown_of(const bench_table& table);

/// All of it.
[[nodiscard]] std::string markdown_of(const bench_run& run);

}  // namespace duomap::apps
