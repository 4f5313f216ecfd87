// A task of the user's in a shared library, which duomap.cpp_task() compiles around it, and how the module
// calls it. host only
#pragma once

#include "apps/cli/task_cells.hpp"
#include "core/verify/verify.hpp"
#include "core/version.hpp"
#include "duomap.hpp"
#include "python/src/columns.hpp"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace duomap::python {

/// What a library is asked for.
struct own_task_call {
  const input& from;
  const job_options& options;
  const std::vector<std::string>& names;  ///< of the first columns
  columns& found;
};

/// What a library exports, as duomap_python_task.
struct own_task {
  const char* version;  ///< of duomap
  bool binary;          ///< the input is rows, no text
  void (*run)(const own_task_call& call);
  void (*verify)(const input& from, std::vector<law_check>& checks);
};

/// An empty column for cells of one kind.
[[nodiscard]] inline column column_for(const cell& one, std::string name) {
  return std::visit(
      [&](const auto& content) -> column {
        using type = std::remove_cvref_t<decltype(content)>;
        if constexpr (std::same_as<type, byte_view>) {
          return {std::move(name), text_column{}};
        } else {
          return {std::move(name), std::vector<type>{}};
        }
      },
      one);
}

inline void add_cell(column& to, const cell& one) {
  std::visit(
      [&](const auto& content) {
        using type = std::remove_cvref_t<decltype(content)>;
        if constexpr (std::same_as<type, byte_view>) {
          std::get<text_column>(to.values).push_back(content);
        } else {
          std::get<std::vector<type>>(to.values).push_back(content);
        }
      },
      one);
}

template <map_reduce_task Task>
void run_own_task(const Task& task, const own_task_call& call) {
  const auto result = duomap::run(task, call.from, call.options);
  using key_type = result_key<typename Task::key>;
  using value_type = std::remove_cvref_t<decltype(finished(
      task, std::declval<const key_type&>(), std::declval<const typename Task::reduce::value_type&>()))>;
  const auto for_each_cell_of = [](const key_type& key, const value_type& value, const auto& use) {
    if constexpr (!std::same_as<typename Task::key, no_key>) apps::for_each_cell(key, use);
    apps::for_each_cell(value, use);
  };
  std::vector<column>& all = call.found.all;
  // Values of no row: the kinds of their cells make the columns.
  std::vector<text_place> places;
  apps::add_places(value_type{}, places);
  const input_texts none(text_input(""), std::move(places));
  for_each_cell_of(key_type{}, value_type{}, [&](const auto& one) {
    const std::size_t i = all.size();
    all.push_back(column_for(apps::cell_with_texts{none}(one),
                             i < call.names.size() ? call.names[i] : "column_" + std::to_string(i + 1)));
  });
  if (call.names.size() > all.size())
    throw usage_error(std::to_string(call.names.size()) + " columns have names, and the task's rows have " +
                      std::to_string(all.size()));
  places.clear();
  result.for_each([&](const auto& /*key*/, const auto& value) { apps::add_places(value, places); });
  const input_texts texts(call.from, std::move(places));
  result.for_each([&](const auto& key, const auto& value) {
    std::size_t i = 0;
    for_each_cell_of(key, value,
                     [&](const auto& one) { add_cell(all[i++], apps::cell_with_texts{texts}(one)); });
  });
}

template <class Task>
[[nodiscard]] constexpr own_task make_own_task() {
  if constexpr (require_task<Task>()) {
    static_assert(!detail::is_slots<typename Task::reduce>, "slots are no rows, which a table is made of");
    constexpr bool binary = requires(const typename Task::format& format) { format.row_bytes(); };
    return {.version = version.data(),
            .binary = binary,
            .run = [](const own_task_call& call) { run_own_task(Task{}, call); },
            .verify =
                [](const input& from, std::vector<law_check>& checks) {
                  checks = verify(Task{}, from);
                }};
  }
}

}  // namespace duomap::python

#define DUOMAP_PYTHON_TASK(Task)                                                 \
  extern "C" {                                                                   \
  [[gnu::visibility("default")]] ::duomap::python::own_task duomap_python_task = \
      ::duomap::python::make_own_task<Task>();                                   \
  }
