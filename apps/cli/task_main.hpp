// The main function of a program that runs one task: the options of `duomap run`.
// host only
#pragma once

#include "apps/cli/part_of_run.hpp"
#include "apps/cli/row_headings.hpp"
#include "apps/cli/run_options.hpp"
#include "apps/cli/same_on_devices.hpp"
#include "apps/cli/task_cells.hpp"
#include "apps/cli/task_program.hpp"
#include "apps/cli/verify_laws.hpp"
#include "core/error.hpp"
#include "core/output/table_writer.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace duomap {

namespace apps {

/// by_value for rows of any value: by its first number or text.
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

/// The input in which places of a merge stand: that of its parts, by the names that they tell.
[[nodiscard]] inline input input_of_parts(const covered_input& merged, run_options options) {
  options.stage = run_stage::whole;
  options.paths.clear();
  for (const covered_input::source& one : merged.sources()) options.paths.push_back(one.name);
  return input_of(options);
}

/// Writes the rows of a result as the options ask for: the key, if there is one, and each number of the
/// value.
template <class Task>
void write_task_rows(const part_of_run<Task>& found, const input& from, std::vector<std::string> columns,
                     const run_context& to) {
  constexpr bool keyed = !std::same_as<typename Task::key, no_key>;
  using key_type = result_key<typename Task::key>;
  using value_type =
      std::remove_cvref_t<decltype(finished(std::declval<const Task&>(), std::declval<const key_type&>(),
                                            std::declval<const typename Task::reduce::value_type&>()))>;
  std::vector<result_row<key_type, value_type>> rows;
  found.result->for_each([&](const auto& key, const auto& value) { rows.push_back({key, value}); });
  const run_options& options = to.options;
  std::vector<text_place> places;
  for (const auto& row : rows) add_places(row.value, places);
  const bool apart = !places.empty() && !found.merged.sources().empty();
  const input parts = apart ? input_of_parts(found.merged, options) : input();
  const input_texts texts(apart ? parts : from, std::move(places));
  const cell_with_texts as_cell{texts};
  if (options.top || options.order == row_order::value)
    std::stable_sort(rows.begin(), rows.end(), first_cell_order{as_cell});
  if (options.top) rows.resize(std::min<std::size_t>(rows.size(), *options.top));
  // What is collected under a key keeps the order of the input.
  if (options.order == row_order::key) std::stable_sort(rows.begin(), rows.end(), by_key);

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
  for (const auto& row : rows) table.row(cells_of(row));
}

/// What such a program does with its input.
template <map_reduce_task Task>
struct task_of_program {
  static inline Task task;
  static inline std::vector<std::string> columns;
  static inline std::string name;

  static run_report run(run_context& context) {
    const run_options& options = context.options;
    if (options.deterministic)
      throw usage_error(
          "--deterministic is no option of this program; its task can be duomap::deterministic "
          "(core/deterministic.hpp)");
    constexpr bool binary = requires(const typename Task::format& format) { format.row_bytes(); };
    const input from = input_of(options, binary ? input_content::records : input_content::text);
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
    const auto found = run_as_asked(task, from, *pool, context, report, {name});
    report.task = name;
    if (found.result) write_task_rows<Task>(found, from, columns, context);
    return report;
  }
};

}  // namespace apps

/// Runs a task as `duomap run` runs an application: with its options, its summary and its exit status. With
/// `map` or `merge` as the first argument it does what `duomap map` and `duomap merge` do. `columns` are the
/// names of the key, if there is one, and of each number of the value; those that are left out are called key
/// and value, or value_1 and so on (row_headings()). Such a program links duomap::program; CMake's
/// duomap_add_task() makes it of a header.
template <class Task>
[[nodiscard]] int task_main(int argc, const char* const* argv, const Task& task = {},
                            std::vector<std::string> columns = {}) {
  if constexpr (require_task<Task>()) {
    static_assert(std::default_initializable<Task>,
                  "the program of a header makes its task without arguments, as TASK{}: the task needs a "
                  "default constructor and no members that are references");
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
