// Finds the layout of delimited text from its first lines and the options: delimiter, header, use of each
// column.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "numeric/common/table_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

enum class column_use : unsigned char {
  none,    ///< not read
  number,  ///< a value of the row
  symbol,  ///< a value of the row: the index of a text
  label,
};

struct delimited_layout {
  char delimiter = ',';
  /// The place where the rows begin, and the number of their first line, which counts from 1.
  std::uint64_t rows_begin = 0;
  std::uint64_t first_line = 1;
  /// The use of each field of a row.
  std::vector<column_use> uses;
  /// Names of the fields if the text has a header; else empty.
  std::vector<std::string> names;

  /// The number of values in a row: columns of numbers and symbols.
  [[nodiscard]] std::uint64_t values() const;
  /// The name of field `index` (from 0) in messages: "column 3 ('age')".
  [[nodiscard]] std::string column(std::size_t index) const;
};

/// A column is symbolic if a value in its first `layout_rows` rows is neither a number nor missing.
inline constexpr std::uint64_t layout_rows = 1000;

/// Finds the layout. @throws input_error when there is no row; usage_error when an option names a column that
/// does not exist
[[nodiscard]] delimited_layout find_layout(byte_view text, const std::string& name,
                                           const table_options& options);

/// Whether a field marks a missing value: an empty field, ?, NA, N/A, null or nan (in any case).
[[nodiscard]] bool is_missing(byte_view field);

/// Whether a line has only spaces. A tab counts as a space unless it is the delimiter.
[[nodiscard]] bool is_blank_line(byte_view line, char delimiter);

}  // namespace duomap
