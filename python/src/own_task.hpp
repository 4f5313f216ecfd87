// Declares the interface between the module and a shared library with a user's task, which duomap.cpp_task()
// compiles.
// host only
#pragma once

#include "core/default_made_task.hpp"
#include "core/output/task_cells.hpp"
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

/// A run that the module lets a library do.
struct own_task_call {
  const input& from;
  const run_options& options;
  const std::vector<std::string>& names;  ///< names of the first columns
  columns& found;                         ///< where the library adds the columns of the result
};

/// The functions of a library, which exports them as duomap_python_task.
struct own_task {
  const char* version;  ///< the version of duomap that compiled the library
  input_content (*content)();
  void (*run)(const own_task_call& call);
  void (*verify)(const input& from, std::vector<law_check>& checks);
};

/// An empty column for cells of the type Content.
template <class Content>
[[nodiscard]] column column_for(std::string name) {
  if constexpr (std::same_as<Content, byte_view> || std::same_as<Content, text_place>) {
    return {std::move(name), text_column{}};
  } else {
    return {std::move(name), std::vector<Content>{}};
  }
}

template <class Content>
void add_cell(column& to, const Content& one) {
  if constexpr (std::same_as<Content, byte_view>) {
    std::get<text_column>(to.values).push_back(one);
  } else {
    std::get<std::vector<Content>>(to.values).push_back(one);
  }
}

template <map_reduce_task Task>
void run_own_task(const Task& task, const own_task_call& call) {
  const auto result = duomap::run(task, call.from, call.options);
  using key_type = result_key<typename Task::key>;
  using value_type = std::remove_cvref_t<decltype(finished(
      task, std::declval<const key_type&>(), std::declval<const typename Task::reduce::value_type&>()))>;
  const auto for_each_cell_of = [](const key_type& key, const value_type& value, const auto& use) {
    if constexpr (!std::same_as<typename Task::key, no_key>) for_each_cell(key, use);
    for_each_cell(value, use);
  };
  std::vector<column>& all = call.found.all;
  // An empty row has cells of the same types as all rows, and so gives the types of the columns.
  for_each_cell_of(key_type{}, value_type{}, [&]<class Content>(const Content& /*one*/) {
    const std::size_t i = all.size();
    all.push_back(
        column_for<Content>(i < call.names.size() ? call.names[i] : "column_" + std::to_string(i + 1)));
  });
  if (call.names.size() > all.size())
    throw usage_error(std::to_string(call.names.size()) + " columns have names, and the task's rows have " +
                      std::to_string(all.size()));
  std::vector<text_place> places;
  add_places(value_type{}, places);
  // Texts at places of the input are read before the cells. Most tasks have no such places.
  if (!places.empty()) {
    places.clear();
    result.for_each([&](const auto& /*key*/, const auto& value) { add_places(value, places); });
  }
  const input_texts texts(call.from, std::move(places));
  result.for_each([&](const auto& key, const auto& value) {
    std::size_t i = 0;
    for_each_cell_of(key, value, [&]<class Content>(const Content& one) {
      if constexpr (std::same_as<Content, text_place>) {
        add_cell(all[i++], texts[one]);
      } else {
        add_cell(all[i++], one);
      }
    });
  });
}

template <class Task>
[[nodiscard]] constexpr own_task make_own_task() {
  if constexpr (require_task<Task>()) {
    static_assert(!detail::is_slots<typename Task::reduce>, "slots are no rows, which a table is made of");
    require_settings<Task>();
    return {.version = version.data(),
            .content = [] { return content_of_input(Task{}); },
            .run =
                [](const own_task_call& call) {
                  refuse_empty_broadcasts(Task{});
                  run_own_task(Task{}, call);
                },
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
