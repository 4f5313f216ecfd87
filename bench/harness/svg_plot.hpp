// Draws a benchmark table as SVG, readable on light and dark pages, without scripts or fonts of its own.
// host only
#pragma once

#include "bench/harness/bench_table.hpp"

#include <string>
#include <string_view>

namespace duomap::apps {

/// Escapes `text` for XML's character data and attribute values. Drops control characters, which XML forbids.
[[nodiscard]] std::string xml_text(std::string_view text);

/// Draws the picture that table.plot asks for: a bar for each measured row, or a line for each (program,
/// device, threads) over bench_row::x. Times and rates have whiskers from p10 to p90. The same table gives
/// the same bytes. Returns an empty text when nothing can be drawn: the table wants no plot, or no row was
/// measured or has the plotted number.
[[nodiscard]] std::string svg_of(const bench_table& table);

}  // namespace duomap::apps
