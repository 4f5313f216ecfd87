// The layout of JSON Lines, found from their first rows.
// host only
#pragma once

#include "apps/tasks/table/table_layout.hpp"
#include "apps/tasks/table/table_sample.hpp"

#include <string>

namespace duomap::apps {

/// Whether the table is JSON Lines: if the user says so, or says nothing about the format and the first line
/// with bytes other than blanks begins with { and ends with }.
[[nodiscard]] bool is_json_lines(const table_sample& sample, const grouping& asked);

/// Finds the layout. `only`: the input has no other table.
/// @throws usage_error when there are too many columns, or a column that no row of the only table has
[[nodiscard]] table_layout find_json_layout(const table_sample& sample, const std::string& name,
                                            const grouping& asked, bool only);

}  // namespace duomap::apps
