// Writes benchmark tables as Markdown; a terminal shows the same text.
// host only
#pragma once

#include "bench/harness/printed_table.hpp"

#include <string>

namespace duomap::apps {

/// The headings, the rows and the sentences below them.
[[nodiscard]] std::string markdown_of(const printed_table& table);

/// The title, the subject, the rows and the notes.
[[nodiscard]] std::string markdown_of(const bench_table& table);

/// All tables of the run and its machine.
[[nodiscard]] std::string markdown_of(const bench_run& run);

}  // namespace duomap::apps
