// Plans the picks of a grouping.
// host only
#pragma once

#include "apps/tasks/table/grouping.hpp"
#include "apps/tasks/table/row_picks.hpp"

#include <vector>

namespace duomap::apps {

/// The picks that the aggregates need. Aggregates that pick the same rows share a pick.
/// @throws usage_error when there are too many picks or rows
[[nodiscard]] pick_plan plan_picks(const grouping& asked);

/// For each aggregate the index of its row in the state of a group; 0 for an aggregate that picks none.
[[nodiscard]] std::vector<unsigned> picked_row_of(const grouping& asked);

/// The index of the column of each aggregate among the picked columns; 0 for an aggregate that picks none.
[[nodiscard]] std::vector<unsigned> picked_column_of(const grouping& asked);

}  // namespace duomap::apps
