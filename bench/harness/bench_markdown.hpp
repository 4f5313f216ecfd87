// Writes benchmark tables as Markdown; a terminal shows the same text.
// host only
#pragma once

#include "bench/harness/printed_table.hpp"

#include <string>

namespace duomap::apps {

/// Writes a table's headings, its rows and the sentences below them.
[[nodiscard]] std::string markdown_of(const printed_table& table);

/// Writes a table's title, subject, rows and notes.
[[nodiscard]] std::string markdown_of(const bench_table& table);

/// Writes all tables of a run, and its machine.
[[nodiscard]] std::string markdown_of(const bench_run& run);

}  // namespace duomap::apps
