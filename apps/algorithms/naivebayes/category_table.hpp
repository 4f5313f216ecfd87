// What the first lines of a table of categories say of it, and where its lines that are no rows stand.
// host only
#pragma once

#include "apps/algorithms/naivebayes/category_row.hpp"
#include "core/input/input.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// The beginning of a table: at least the header and the first row, and `sample_bytes` of text.
struct table_beginning {
  static constexpr std::uint64_t sample_bytes = 256 << 10;

  std::string text;
  char delimiter = ',';
  std::vector<std::string> names;  ///< of the columns: the header's fields, else numbers from 1 on
};

/// Reads the beginning of the first source that has rows.
/// @throws input_error when there is no row, its quotes do not fit, or sources have different headers
[[nodiscard]] table_beginning read_beginning(const input& table, std::optional<char> delimiter,
                                             bool has_header);

/// The place of a column that is named by its name, its number or "last".
/// @throws usage_error that names `option` when there is none
[[nodiscard]] std::uint32_t find_column(const std::vector<std::string>& names, const std::string& wanted,
                                        const std::string& option);

/// Where the first line stands that is no row, and why: "the table 'a.csv', line 7: 3 fields, where the first
/// row has 4". Reads the table again.
[[nodiscard]] std::string first_malformed(const input& table, const category_columns& columns,
                                          worker_pool& pool);

}  // namespace duomap
