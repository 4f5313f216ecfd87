// Makes a table's cell of a number in a matrix.
// host only
#pragma once

#include <charconv>

namespace duomap {

/// The shortest decimal that reads back as the same float: 0.1f becomes 0.1, and not 0.10000000149011612.
[[nodiscard]] inline double number_cell(float value) {
  char text[32];
  const char* const end = std::to_chars(text, text + sizeof text, value).ptr;
  double same = value;
  std::from_chars(text, end, same);
  return same;
}
[[nodiscard]] inline double number_cell(double value) { return value; }

}  // namespace duomap
