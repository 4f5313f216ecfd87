// The layout of delimited text, found from its first lines: delimiter, header, types of columns.
// host only
#pragma once

#include "apps/tasks/table/grouping.hpp"
#include "core/byte_view.hpp"

#include <string>

namespace duomap::apps {

/// The facts of a table that a run needs, and a note for its summary.
struct table_layout {
  column_plan plan;
  std::string note;
};

/// Finds the layout. `beginning` is the first bytes of the source `name`; `whole`: they are all bytes of the
/// source; otherwise a last line without a line feed is left out, because it may be cut.
/// @throws usage_error when a column does not exist or is not unique, or there are too many; input_error when
/// there is no line
[[nodiscard]] table_layout find_table_layout(byte_view beginning, bool whole, const std::string& name,
                                             const grouping& asked);

/// The plan of a merge, which sees no table: all types are declared.
/// @throws usage_error when they are not
[[nodiscard]] column_plan plan_without_table(const grouping& asked);

}  // namespace duomap::apps
