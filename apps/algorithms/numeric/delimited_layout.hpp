// What the first lines and the options say of delimited text: its delimiter, its header, what each column is.
// host only
#pragma once

#include "apps/algorithms/numeric/table_options.hpp"
#include "core/byte_view.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

enum class column_use : unsigned char {
  none,    ///< not read
  number,  ///< a value of the row
  symbol,  ///< a value of the row: a text's index
  label,
};

struct delimited_layout {
  char delimiter = ',';
  /// Where the rows begin, and the number of their first line, which counts from 1.
  std::uint64_t rows_begin = 0;
  std::uint64_t first_line = 1;
  /// For each field of a row.
  std::vector<column_use> uses;
  /// The fields' names, if the text has a header; else empty.
  std::vector<std::string> names;

  /// Columns of numbers: values of a row.
  [[nodiscard]] std::uint64_t values() const;
  /// How messages call field `index`, which counts from 0: "column 3 ('age')".
  [[nodiscard]] std::string column(std::size_t index) const;
};

/// A column is symbolic when, in the first `layout_rows` rows, a value of it is neither a number nor missing.
inline constexpr std::uint64_t layout_rows = 1000;

/// @throws input_error when there is no row; usage_error when an option names a column that is not there
[[nodiscard]] delimited_layout find_layout(byte_view text, const std::string& name,
                                           const table_options& options);

/// Whether a field says that there is no value: nothing, ?, NA, N/A, null, nan (in any case).
[[nodiscard]] bool is_missing(byte_view field);

/// Whether a line has nothing but spaces; a tab is one unless it is the delimiter.
[[nodiscard]] bool is_blank_line(byte_view line, char delimiter);

}  // namespace duomap
