// Reads the beginning of a table of categories, and finds its first line that is no row.
// host only
#pragma once

#include "core/input/input.hpp"
#include "core/worker_pool.hpp"
#include "numeric/naivebayes/category_row.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// The beginning of a table: the header, the first row, and at least `sample_bytes` of text if the table is
/// that long.
struct table_beginning {
  static constexpr std::uint64_t sample_bytes = 256 << 10;

  std::string text;
  char delimiter = ',';
  std::vector<std::string> names;  ///< of the columns: the header's fields, or numbers from 1 on
};

/// Reads the beginning of the first source that has rows.
/// @throws input_error when there is no row, its quotes do not fit, or sources have different headers
[[nodiscard]] table_beginning read_beginning(const input& table, std::optional<char> delimiter,
                                             bool has_header);

/// The index of a column, given by its name, its number or "last".
/// @throws usage_error naming `option` when there is no such column
[[nodiscard]] std::uint32_t find_column(const std::vector<std::string>& names, const std::string& wanted,
                                        const std::string& option);

/// A sentence about the first line that is no row, with its place: "the table 'a.csv', line 7: 3 fields,
/// where the first row has 4". Reads the table again.
[[nodiscard]] std::string first_malformed(const input& table, const category_columns& columns,
                                          worker_pool& pool);

}  // namespace duomap
