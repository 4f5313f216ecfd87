// Groups the rows of a table that comes in batches of columns. Only some batches are in memory at once.
// host only
#pragma once

#include "apps/tasks/table/batch_layout.hpp"
#include "apps/tasks/table/group_columns.hpp"
#include "apps/tasks/table/grouped_table.hpp"
#include "apps/tasks/table/growing_groups.hpp"
#include "core/input/input.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace duomap::apps {

/// Batches that one run groups. The memory of the columns belongs to the caller.
struct column_batches {
  std::vector<std::uint64_t> rows;   ///< of each batch
  std::vector<column_view> columns;  ///< batch_layout::columns of each batch
};

namespace detail {

[[nodiscard]] inline input input_of(const column_batches& batches) {
  std::vector<std::unique_ptr<source>> all;
  for (const std::uint64_t rows : batches.rows) {
    std::vector<std::unique_ptr<source>> one = index_input(rows).release();
    all.push_back(std::move(one.front()));
  }
  return input(std::move(all));
}

template <unsigned Values, class Next, class Run>
[[nodiscard]] std::unique_ptr<grouped_table> group_batches(const batch_layout& layout, const grouping& asked,
                                                           worker_pool& pool, const Next& next,
                                                           const Run& run) {
  using task_of_text = group_rows<Values>;
  group_columns<Values> task{.plan = layout.plan, .value_names = layout.value_names.data()};
  growing_groups<group_columns<Values>> groups(task, pool);
  std::uint64_t rows = 0;
  while (const std::optional<column_batches> batches = next()) {
    std::vector<std::uint64_t> first_rows;
    for (const std::uint64_t more : batches->rows) {
      first_rows.push_back(rows);
      rows += more;
    }
    task.columns = batches->columns.data();
    task.first_rows = first_rows.data();
    groups.add(run(task, input_of(*batches)).reduced());
  }
  return std::make_unique<grouped_rows<Values>>(
      layout.answer, asked,
      keyed_result<task_of_text>(task_of_text{layout.answer}, std::move(groups).release()),
      [keys = layout.plan.keys](byte_view key) { return key_text(keys, key); });
}

}  // namespace detail

/// Groups the rows of all batches. next() returns the next ones, and nothing at the end; the ones before are
/// then no longer used. run(task, input) runs a task and returns its result. The answer has one key column,
/// whose bytes layout.plan.keys reads.
template <class Next, class Run>
[[nodiscard]] std::unique_ptr<grouped_table> group_batches(const batch_layout& layout, const grouping& asked,
                                                           worker_pool& pool, const Next& next,
                                                           const Run& run) {
  return with_room_for(layout.plan.values, [&]<unsigned Values>() {
    return detail::group_batches<Values>(layout, asked, pool, next, run);
  });
}

}  // namespace duomap::apps
