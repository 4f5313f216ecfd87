// Defines the main function of a program that runs one task with the options of `duomap run`.
// host only
#pragma once

#include "apps/cli/part_of_run.hpp"
#include "apps/cli/row_headings.hpp"
#include "apps/cli/run_arguments.hpp"
#include "apps/cli/same_on_devices.hpp"
#include "apps/cli/task_program.hpp"
#include "apps/cli/verify_laws.hpp"
#include "core/default_made_task.hpp"
#include "core/error.hpp"
#include "core/memory_budget.hpp"
#include "core/memory_reservation.hpp"
#include "core/output/table_writer.hpp"
#include "core/output/task_cells.hpp"
#include "core/partial/stored/stored_fields.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace duomap {

namespace apps {

/// Orders rows by the first number or text of their values, largest first.
struct first_cell_order {
  cell_with_texts as_cell;

  [[nodiscard]] bool operator()(const auto& a, const auto& b) const {
    const auto first = [this](const auto& value) {
      std::optional<cell> found;
      for_each_cell(value, [&](const auto& each) {
        if (!found) found = as_cell(each);
      });
      return *found;
    };
    const cell its = first(b.value);
    return std::visit(
        [&](const auto& mine) {
          using content = std::decay_t<decltype(mine)>;
          const auto row_of = [](const auto& key, const content& value) {
            using key_type = std::decay_t<decltype(key)>;
            if constexpr (std::same_as<content, byte_view>) {
              return result_row<key_type, std::string_view>{key, value.text()};
            } else {
              return result_row<key_type, content>{key, value};
            }
          };
          return by_value(row_of(a.key, mine), row_of(b.key, std::get<content>(its)));
        },
        first(a.value));
  }
};

/// The type of a row's value.
template <class Task>
using row_value = std::remove_cvref_t<decltype(finished(
    std::declval<const Task&>(), std::declval<const result_key<typename Task::key>&>(),
    std::declval<const typename Task::reduce::value_type&>()))>;

/// Writes the rows of a result in the form that the options ask for: the key, if there is one, and each
/// number of the value.
template <class Task>
void write_task_rows(const part_of_run<Task>& found, const input& from, std::vector<std::string> columns,
                     const run_context& to) {
  constexpr bool keyed = !std::same_as<typename Task::key, no_key>;
  using key_type = result_key<typename Task::key>;
  using value_type = row_value<Task>;
  using row_type = result_row<key_type, value_type>;
  const run_arguments& options = to.options;
  shared_budget memory;
  if constexpr (requires { found.result->memory(); }) memory = found.result->memory();
  memory_reservation held(memory);
  const auto row_count = [&] {
    std::uint64_t rows = 0;
    found.result->for_each([&](const auto&, const auto&) { ++rows; });
    return rows;
  };

  std::vector<text_place> places;
  const auto add_places_of_row = [&](const auto& key, const auto& value) {
    if constexpr (keyed) add_places(key, places);
    add_places(value, places);
  };
  add_places_of_row(key_type{}, value_type{});
  if (const std::uint64_t in_row = places.size(); in_row > 0) {
    const std::uint64_t all = in_row * row_count();
    held.take(all * sizeof(text_place), "the places of the texts in the rows");
    places.clear();
    places.reserve(all);
    found.result->for_each(add_places_of_row);
  }
  const bool apart = options.stage == run_stage::merge;
  const input_texts texts =
      apart ? input_texts(found.texts, std::move(places)) : input_texts(from, std::move(places));
  const cell_with_texts as_cell{texts};
  const auto cells_of = [&](const auto& row) {
    std::vector<cell> cells;
    const auto take = [&](const auto& each) {
      cells.push_back(as_cell(each));
    };
    if constexpr (keyed) for_each_cell(row.key, take);
    for_each_cell(row.value, take);
    return cells;
  };
  std::size_t key_cells = 0, value_cells = 0;
  if constexpr (keyed) for_each_cell(key_type{}, [&](const auto&) { ++key_cells; });
  for_each_cell(value_type{}, [&](const auto&) { ++value_cells; });
  columns = row_headings(std::move(columns), key_cells, value_cells);
  table_writer table(to.sink, options.format, columns);
  if (!options.top && options.order == row_order::none) {
    found.result->for_each([&](const auto& key, const auto& value) {
      table.row(cells_of(row_type{key, value}));
    });
    return;
  }

  // Twice the rows, because sorting needs the same memory again.
  const std::uint64_t count = row_count();
  held.take(2 * count * sizeof(row_type), "the rows of a result, which are sorted,");
  std::vector<row_type> rows;
  rows.reserve(count);
  found.result->for_each([&](const auto& key, const auto& value) { rows.push_back({key, value}); });
  if (options.top || options.order == row_order::value)
    std::stable_sort(rows.begin(), rows.end(), first_cell_order{as_cell});
  if (options.top) rows.resize(std::min<std::size_t>(rows.size(), *options.top));
  // A stable sort keeps the values of a key in the order of the input.
  if (options.order == row_order::key) std::stable_sort(rows.begin(), rows.end(), by_key);
  for (const auto& row : rows) table.row(cells_of(row));
}

/// The work of a program that runs one task.
template <map_reduce_task Task>
struct task_of_program {
  static inline Task task;
  static inline std::vector<std::string> columns;
  static inline std::string name;

  static run_report run(run_context& context) {
    const run_arguments& options = context.options;
    refuse_empty_broadcasts(task);
    if (options.deterministic)
      throw usage_error(
          "--deterministic is no option of this program; its task can be duomap::deterministic "
          "(core/deterministic.hpp)");
    // A stored partial has no texts of places that finish() makes, only those in keys and values.
    if constexpr (duomap::detail::holds_place<row_value<Task>>() && !duomap::detail::holds_places<Task>) {
      if (options.stage != run_stage::whole)
        throw usage_error(
            "this task cannot be mapped in parts: its finish() finds places of texts in a value that cannot "
            "be taken apart; make the value a struct of up to eight fields, without arrays of C");
    }
    const input from = input_of(options, content_of_input(task));
    const auto pool = cpu::machine_pool(options.threads.value_or(0));
    if (options.verify) {
      std::vector<law_check> checks = verify(task, from);
      if (options.device != device_choice::cpu) {
        if (auto same = same_on_devices<registered_kinds>(task, from, *pool))
          checks.push_back(*std::move(same));
      }
      report_laws(checks, options.quiet);
    }
    run_report report;
    const auto found = run_selected_stage(task, from, *pool, context, report, {name});
    report.task = name;
    if (found.result) write_task_rows<Task>(found, from, columns, context);
    return report;
  }
};

}  // namespace apps

/// Runs a task as `duomap run` runs an application: with its options, its summary and its exit status. With
/// `map` or `merge` as the first argument it works like `duomap map` or `duomap merge`. `columns` names the
/// key, if there is one, and each number of the value; row_headings() completes missing names. The program
/// must link duomap::program; CMake's duomap_add_task() makes such a program from a header.
template <class Task>
[[nodiscard]] int task_main(int argc, const char* const* argv, const Task& task = {},
                            std::vector<std::string> columns = {}) {
  if constexpr (require_task<Task>()) {
    static_assert(std::default_initializable<Task>,
                  "the program of a header makes its task without arguments, as TASK{}: the task needs a "
                  "default constructor and no members that are references");
    require_settings<Task>();
    static_assert(!detail::is_slots<typename Task::reduce>,
                  "task_main() writes rows, and slots are no rows: write a main() that calls duomap::run()");
    using program = apps::task_of_program<Task>;
    program::task = task;
    program::columns = std::move(columns);
    program::name = apps::program_name(argc, argv);
    const apps::app self{
        .name = program::name,
        .summary = "Runs one MapReduce task on all CPU cores and GPUs of this machine.",
        .description = "",
        .input_option = std::same_as<typename Task::format, index_range> ? apps::indices_option : "",
        .run = program::run};
    return apps::run_task_program(self, argc, argv);
  }
}

}  // namespace duomap
