// Groups the rows of a table that comes in batches of columns. Only some batches are in memory at once.
// host only
#pragma once

#include "apps/tasks/table/batch_layout.hpp"
#include "apps/tasks/table/group_columns.hpp"
#include "apps/tasks/table/grouped_table.hpp"
#include "apps/tasks/table/grouped_values.hpp"
#include "apps/tasks/table/growing_groups.hpp"
#include "core/input/input.hpp"
#include "core/worker_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
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
  std::deque<growing_groups<group_columns<Values>>> groups;
  do groups.emplace_back(task, pool);
  while (groups.size() < layout.sets.size());
  std::uint64_t rows = 0;
  while (const std::optional<column_batches> batches = next()) {
    std::vector<std::uint64_t> first_rows;
    for (const std::uint64_t more : batches->rows) {
      first_rows.push_back(rows);
      rows += more;
    }
    task.columns = batches->columns.data();
    task.first_rows = first_rows.data();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      task.set = layout.sets.empty() ? nullptr : &layout.sets[i];
      groups[i].add(run(task, input_of(*batches)).reduced());
    }
  }
  const auto result_of = [&](growing_groups<group_columns<Values>>& of) {
    return keyed_result<task_of_text>(task_of_text{layout.answer}, std::move(of).release());
  };
  const auto text_of_key = [keys = layout.plan.keys](byte_view key) {
    return key_text(keys, key);
  };
  if (layout.sets.empty())
    return std::make_unique<grouped_rows<task_of_text>>(layout.answer, asked, result_of(groups[0]),
                                                        text_of_key);
  auto table = std::make_unique<grouped_values<task_of_text>>(
      1, std::span(layout.answer.types, layout.answer.values), asked, text_of_key);
  for (const value_set& set : layout.sets) {
    const value_form form = set.form;
    const auto row_of = [form](byte_view key, const group_state<Values>& state) {
      return typed_value_row(key, state.rows, form);
    };
    std::optional<number_type> type;
    if (!form.text) type = form.type;
    table->add(result_of(groups[set.index]), {row_of, type}, pool);
  }
  return table;
}

}  // namespace detail

/// Groups the rows of all batches, once for each column of different values. next() returns the next ones,
/// and nothing at the end; the ones before are then no longer used. run(task, input) runs a task and returns
/// its result. The answer has one key column, whose bytes layout.plan.keys reads.
template <class Next, class Run>
[[nodiscard]] std::unique_ptr<grouped_table> group_batches(const batch_layout& layout, const grouping& asked,
                                                           worker_pool& pool, const Next& next,
                                                           const Run& run) {
  return with_room_for(layout.plan.values, [&]<unsigned Values>() {
    return detail::group_batches<Values>(layout, asked, pool, next, run);
  });
}

}  // namespace duomap::apps
