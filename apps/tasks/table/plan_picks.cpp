// Plans the picks of a grouping.
#include "apps/tasks/table/plan_picks.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace duomap::apps {
namespace {

unsigned index_in(const std::vector<std::string>& columns, const std::string& column) {
  return static_cast<unsigned>(std::ranges::find(columns, column) - columns.begin());
}

pick_order order_of(aggregate_kind kind) {
  switch (kind) {
    case aggregate_kind::last:
      return pick_order::last;
    case aggregate_kind::argmin:
      return pick_order::least;
    case aggregate_kind::argmax:
      return pick_order::greatest;
    default:
      return pick_order::first;
  }
}

bool same_rows(const row_pick& a, const row_pick& b) {
  return a.order == b.order && a.skips_missing == b.skips_missing && a.column == b.column && a.by == b.by;
}

/// The picks, and the index of each aggregate's pick.
struct planned_picks {
  std::vector<row_pick> picks;
  std::vector<std::size_t> of_aggregate;
};

planned_picks picks_of(const grouping& asked) {
  const std::vector<std::string> values = asked.value_columns();
  const std::vector<std::string> picked = asked.picked_columns();
  planned_picks all;
  for (const aggregate& one : asked.aggregates) {
    all.of_aggregate.push_back(0);
    if (!is_pick(one.kind)) continue;
    row_pick pick;
    pick.order = order_of(one.kind);
    // The first and the last row are the same for all columns.
    pick.skips_missing = one.kind != aggregate_kind::first && one.kind != aggregate_kind::last;
    if (pick.skips_missing) pick.column = static_cast<unsigned char>(index_in(picked, one.column));
    if (!one.by.empty()) pick.by = static_cast<unsigned char>(index_in(values, one.by));
    auto at = std::ranges::find_if(all.picks, [&](const row_pick& other) { return same_rows(pick, other); });
    if (at == all.picks.end()) at = all.picks.insert(at, pick);
    at->rows = std::max(at->rows, static_cast<unsigned char>(one.rank));
    all.of_aggregate.back() = static_cast<std::size_t>(at - all.picks.begin());
  }
  unsigned rows = 0;
  for (row_pick& pick : all.picks) {
    pick.first_row = static_cast<unsigned char>(std::min(rows, most_picked_rows));
    rows += pick.rows;
  }
  return all;
}

}  // namespace

pick_plan plan_picks(const grouping& asked) {
  pick_plan plan;
  const std::vector<row_pick> picks = picks_of(asked).picks;
  unsigned rows = 0;
  for (const row_pick& pick : picks) rows += pick.rows;
  if (picks.size() > most_picks || rows > most_picked_rows)
    throw usage_error("first, last, any, argmin and argmax take at most " + std::to_string(most_picks) +
                      " different rows or lists of rows from a group, of " +
                      std::to_string(most_picked_rows) + " rows together, not " +
                      std::to_string(picks.size()) + " of " + std::to_string(rows) + "; use several runs");
  for (const row_pick& pick : picks) plan.picks[plan.count++] = pick;
  plan.rows = rows;
  return plan;
}

std::vector<unsigned> picked_row_of(const grouping& asked) {
  const planned_picks all = picks_of(asked);
  std::vector<unsigned> rows;
  for (std::size_t i = 0; i < asked.aggregates.size(); ++i) {
    const unsigned rank = asked.aggregates[i].rank;
    rows.push_back(!is_pick(asked.aggregates[i].kind)
                       ? 0
                       : all.picks[all.of_aggregate[i]].first_row + (rank == 0 ? 0 : rank - 1));
  }
  return rows;
}

std::vector<unsigned> picked_column_of(const grouping& asked) {
  const std::vector<std::string> picked = asked.picked_columns();
  std::vector<unsigned> columns;
  for (const aggregate& one : asked.aggregates)
    columns.push_back(is_pick(one.kind) ? index_in(picked, one.column) : 0);
  return columns;
}

}  // namespace duomap::apps
