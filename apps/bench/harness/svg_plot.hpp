// A benchmark table as a picture: SVG, readable on light and dark pages, without scripts or fonts of its own.
// host only
#pragma once

#include "apps/bench/harness/bench_table.hpp"

#include <string>
#include <string_view>

namespace duomap::apps {

/// `text` as XML's character data and attribute values have it. Control characters, which XML forbids, are
/// left out.
[[nodiscard]] std::string xml_text(std::string_view text);

/// The picture that table.plot asks for: a bar for each measured row, or a line for each (program, device,
/// threads) over bench_row::x; with whiskers from p10 to p90 where times or rates are drawn. Same table, same
/// bytes. Empty when nothing can be drawn: no plot wanted, no row measured, no such figure in any.
[[nodiscard]] std::string svg_of(const bench_table& table);

}  // namespace duomap::apps
