// A number of a matrix as a cell of a table.
// host only
#pragma once

#include "core/output/table_writer.hpp"

#include <charconv>

namespace duomap::apps {

/// The double with the shortest decimals that read back as the same float: 0.1f becomes 0.1, and not
/// 0.10000000149011612.
[[nodiscard]] inline cell number_cell(float value) {
  char text[32];
  const char* const end = std::to_chars(text, text + sizeof text, value).ptr;
  double same = value;
  std::from_chars(text, end, same);
  return same;
}
[[nodiscard]] inline cell number_cell(double value) { return value; }

}  // namespace duomap::apps
