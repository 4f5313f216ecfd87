// The layout of a table, found from its first lines: format, delimiter, header, types of columns.
// host only
#pragma once

#include "apps/tasks/table/grouping.hpp"
#include "core/byte_view.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// The layout of a table, and a note on it for the run's explanation.
struct table_layout {
  column_plan plan;
  /// The plans of further runs: one for each of grouping::values_columns() but the first. They differ from
  /// `plan` only in the last column of the keys.
  std::vector<column_plan> further;
  std::string note;
  std::vector<std::string> warnings;  ///< notes for the run's summary
};

/// Finds the layout. `beginning`: the first bytes of the source `name`. `whole`: these are all its bytes;
/// otherwise a last line without a line feed is ignored, because it may be cut. `only`: the input has no
/// other table.
/// @throws usage_error when a column does not exist or is not unique, or there are too many; input_error when
/// there is no line
[[nodiscard]] table_layout find_table_layout(byte_view beginning, bool whole, const std::string& name,
                                             const grouping& asked, bool only = true);

/// The plan of a merge. A merge reads no table, so the user must declare all types.
/// @throws usage_error when a type is missing
[[nodiscard]] column_plan plan_without_table(const grouping& asked);

}  // namespace duomap::apps
