// Opens tables and groups their rows.
// host only
#pragma once

#include "apps/tasks/table/grouped_table.hpp"
#include "apps/tasks/table/grouped_values.hpp"
#include "apps/tasks/table/grouping.hpp"
#include "apps/tasks/table/line_changer.hpp"
#include "apps/tasks/table/pick_rows.hpp"
#include "apps/tasks/table/plan_picks.hpp"
#include "apps/tasks/table/table_layout.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"
#include "core/run_options.hpp"
#include "core/worker_pool.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

/// Tables with one layout.
struct opened_tables {
  input tables;
  table_layout layout;
  line_rules lines;  ///< of delimited text; the sources change lines accordingly
  const run_control* control = nullptr;
};

/// Finds the layout of tables in the first 64 KiB of the first table that has a line. If lines may be in
/// front of headers, reads the beginnings of all tables.
/// @throws as find_table_layout(); input_error when such a table has another header
[[nodiscard]] opened_tables open_tables(input from, const grouping& asked, const run_control* control);

/// Rows that were not counted.
struct group_faults {
  std::uint64_t rows = 0;
  std::int64_t first_place = 0;  ///< row_place() of the first row that was not counted
  std::uint64_t places = 0;      ///< the sum of mixed_place() over the rows
  std::size_t run = 0;           ///< the run that could not count them: an index of values_columns()
  bool differ = false;           ///< another run could not count other rows
  std::array<bool, most_value_columns>
      narrow_types{};        ///< value columns whose type was too narrow for a number
  bool open_quotes = false;  ///< a row has an odd number of quotes
};

struct group_outcome {
  std::unique_ptr<grouped_table> table;  ///< null when the runner made no result
  group_faults faults;
};

/// A sentence about the first row that was not counted: its file, its line and its fault. To count lines,
/// this reads the source again up to the row. For a source that can be read only once it gives the row's
/// offset instead.
[[nodiscard]] std::string fault_text(const group_faults& faults, const table_layout& layout,
                                     const grouping& asked, const input& tables);

/// With `drop` adds a note about the rows that were not counted. `first` describes the first of these rows.
/// `option` is the option that leaves them out, as the caller's users write it.
/// @throws input_error unless `drop`, and for rows that only some of the runs could count
void note_or_throw_faults(const group_faults& faults, const std::string& first, bool drop,
                          const std::string& option, std::vector<std::string>& notes);

/// Refuses doubles, whose sums depend on threads and devices. @throws usage_error, which names a column
void require_no_doubles(const column_plan& plan, const grouping& asked);

/// The device for a run: logs are read, and rows are picked, on the CPU. Adds a note if the user left the
/// choice to duomap. @throws device_unavailable if the user asked for a GPU
[[nodiscard]] device_choice device_for(row_format format, const grouping& asked, device_choice device,
                                       std::vector<std::string>& notes);

/// Whether every source can be read a second time.
[[nodiscard]] bool can_be_read_again(const input& tables);

/// Refuses several columns of different values if the tables cannot be read once for each; else adds a note
/// about that. Does nothing for fewer columns. @throws usage_error
void require_runs(const grouping& asked, const input& tables, std::vector<std::string>& notes);

namespace detail {

/// The numbers in a state.
template <unsigned Values>
[[nodiscard]] const group_state<Values>& numbers_in(const group_state<Values>& from) {
  return from;
}
template <unsigned Values, unsigned Rows>
[[nodiscard]] const group_state<Values>& numbers_in(const picked_state<Values, Rows>& from) {
  return from.numbers;
}

/// Takes the rows that could not be counted out of the result of a run.
template <class Task>
[[nodiscard]] group_faults take_faults(const Task& task, unsigned values, keyed_result<Task>& result) {
  group_faults found;
  char bytes[most_key_columns];
  if (const auto taken = result.take(task.fault_key(bytes))) {
    const auto& faults = numbers_in(*taken);
    found.rows = faults.rows;
    found.first_place = faults.least[0];
    found.places = faults.count[0];
    found.open_quotes = faults.high[0] > 0;
    for (unsigned v = 0; v < values; ++v) found.narrow_types[v] = faults.low[v] > 0;
  }
  return found;
}

/// Calls make.operator()<Task>() with the smallest task that has room for the columns and the picked rows.
template <class Make>
decltype(auto) with_task_for(const column_plan& plan, const grouping& asked, const Make& make) {
  if (!asked.has_picks())
    return with_room_for(plan.room(),
                         [&]<unsigned Values>() { return make.template operator()<group_rows<Values>>(); });
  const unsigned rows = plan_picks(asked).rows;
  if (plan.room() <= 1 && rows <= 1) return make.template operator()<pick_rows<1, 1>>();
  if (plan.room() <= 4 && rows <= 16) return make.template operator()<pick_rows<4, 16>>();
  return make.template operator()<pick_rows<most_value_columns, most_picked_rows>>();
}

template <class Task>
[[nodiscard]] Task task_for(const column_plan& plan, const grouping& asked) {
  if constexpr (is_pick_task<Task>)
    return {{plan}, plan_picks(asked)};
  else
    return {plan};
}

template <class Task, class Run>
[[nodiscard]] group_outcome run_grouping(const column_plan& plan, const grouping& asked, worker_pool& pool,
                                         const Run& run) {
  const auto task = task_for<Task>(plan, asked);
  std::optional<keyed_result<Task>> result = run(task);
  if (!result) return {};
  group_outcome outcome;
  outcome.faults = take_faults(task, plan.values, *result);
  const std::vector<values_column> columns = asked.values_columns();
  if (columns.empty()) {
    outcome.table = std::make_unique<grouped_rows<Task>>(plan, asked, *std::move(result));
    return outcome;
  }
  auto table = std::make_unique<grouped_values<Task>>(plan.keys - 1, std::span(plan.types, plan.values),
                                                      asked, key_text_function{}, plan.joins_lines, task);
  table->add(*std::move(result), reader_of<Task>(plan, asked, columns[0]), pool);
  outcome.table = std::move(table);
  return outcome;
}

/// Runs the task once more for each further column of different values.
template <class Task, class Run>
void run_further(const std::vector<column_plan>& plans, const grouping& asked, worker_pool& pool,
                 const Run& run, group_outcome& outcome) {
  const std::vector<values_column> columns = asked.values_columns();
  auto& table = static_cast<grouped_values<Task>&>(*outcome.table);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto task = task_for<Task>(plans[i], asked);
    std::optional<keyed_result<Task>> result = run(task);
    group_faults faults = take_faults(task, plans[i].values, *result);
    const bool differ = faults.rows != outcome.faults.rows || faults.places != outcome.faults.places;
    if (differ && outcome.faults.rows == 0) {
      faults.run = i + 1;
      outcome.faults = faults;
    }
    if (differ) {
      outcome.faults.differ = true;
      return;
    }
    table.add(*std::move(result), reader_of<Task>(plans[i], asked, columns[i + 1]), pool);
  }
}

}  // namespace detail

/// Groups the rows. run(task) runs a task and returns its result; it may return nothing. The pool groups the
/// result a second time where an aggregate needs different values, those of the first column of these. The
/// values of picked rows are not read.
template <class Run>
[[nodiscard]] group_outcome run_grouping(const column_plan& plan, const grouping& asked, worker_pool& pool,
                                         const Run& run) {
  return detail::with_task_for(
      plan, asked, [&]<class Task>() { return detail::run_grouping<Task>(plan, asked, pool, run); });
}

/// If fields in quotes go over the end of lines, opens the tables again as such, and adds a note.
[[nodiscard]] bool reopened_with_quoted_lines(opened_tables& from, const grouping& asked,
                                              std::vector<std::string>& notes);

/// Groups the rows of open tables. If a row has an odd number of quotes, and the user leaves it to duomap
/// whether fields go over the end of lines, reads the tables again in this way. If a number does not fit the
/// type found in the first rows, reads the tables again with doubles for that column. Adds notes on both to
/// `notes`. Reads the tables once for each column of different values, and the picked
/// rows once more. `deterministic` allows no doubles.
template <class Run>
[[nodiscard]] group_outcome run_grouping(opened_tables& from, const grouping& asked, bool deterministic,
                                         std::vector<std::string>& notes, worker_pool& pool, const Run& run) {
  column_plan& plan = from.layout.plan;
  std::vector<column_plan>& further = from.layout.further;
  notes.insert(notes.end(), from.layout.warnings.begin(), from.layout.warnings.end());
  if (deterministic) require_no_doubles(plan, asked);
  if (!further.empty()) require_runs(asked, from.tables, notes);
  if (asked.has_picks()) require_rows_again(from.tables, asked);
  const auto run_all = [&](group_outcome first) {
    if (!further.empty()) {
      detail::with_task_for(
          plan, asked, [&]<class Task>() { detail::run_further<Task>(further, asked, pool, run, first); });
    }
    if (first.table) first.table->read_picks(from.tables, plan, asked, pool);
    return first;
  };
  group_outcome outcome = run_grouping(plan, asked, pool, run);
  if (outcome.faults.open_quotes && reopened_with_quoted_lines(from, asked, notes)) {
    outcome = {};
    if (deterministic) require_no_doubles(plan, asked);
    outcome = run_grouping(plan, asked, pool, run);
  }
  const std::vector<std::string> columns = asked.value_columns();
  std::string widened;
  for (unsigned v = 0; v < plan.values; ++v) {
    if (!outcome.faults.narrow_types[v] || asked.declared(columns[v]) != nullptr) continue;
    if (deterministic || !can_be_read_again(from.tables)) return outcome;
    plan.types[v] = {.real = true};
    for (column_plan& one : further) one.types[v] = {.real = true};
    widened += (widened.empty() ? "" : ", ") + columns[v];
  }
  if (widened.empty()) return run_all(std::move(outcome));
  outcome = {};
  notes.push_back("column " + widened +
                  " has numbers that the type of its first rows cannot hold, so it was read again "
                  "as doubles; --types declares a type");
  return run_all(run_grouping(plan, asked, pool, run));
}

}  // namespace duomap::apps
