// Checks a task that is made without arguments, as `duomap run HEADER` and cpp_task() make it, and finds the
// content of its input. host only
#pragma once

#include "core/error.hpp"
#include "core/input/input_content.hpp"
#include "core/member_names.hpp"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace duomap {

namespace detail {

template <class Format>
inline constexpr bool is_rows_of_numbers = false;
template <class T>
inline constexpr bool is_rows_of_numbers<rows<T>> = std::is_arithmetic_v<T>;

}  // namespace detail

/// The content of the task's input files. Plain rows of numbers are `numbers`. All other rows (of bytes, of
/// structs, behind a header) are `records`, because a good file of them may look like text.
template <class Task>
[[nodiscard]] input_content content_of_input(const Task& task) {
  using format = typename Task::format;
  if constexpr (detail::is_rows_of_numbers<format>) {
    const bool plain =
        sizeof(*std::declval<typename format::record>().values) > 1 && format_of(task).header_bytes == 0;
    return plain ? input_content::numbers : input_content::records;
  } else {
    constexpr bool binary = requires(const format& of) { of.row_bytes(); };
    return binary ? input_content::records : input_content::text;
  }
}

/// Refuses a task, at compile time, if nobody has set the width of its rows or named its broadcasts.
template <class Task>
consteval void require_settings() {
  static_assert(
      !detail::is_rows_of_numbers<typename Task::format> || requires(const Task& task) { task.records(); },
      "the task does not say how many numbers a row has: expected 'duomap::rows<T> records() const { "
      "return {.width = 2}; }'");
  static_assert(
      !detail::has_place_for<Task, detail::broadcast_member>() || detail::has_member<Task>::visit_broadcast,
      "the task has a member duomap::broadcast<T>, and nothing says that it is one: expected "
      "'DUOMAP_HD void visit_broadcast(auto&& visit) { visit(MEMBER); }'");
}

/// @throws usage_error when a broadcast of the task has no data
template <class Task>
void refuse_empty_broadcasts(Task task) {
  if constexpr (detail::has_member<Task>::visit_broadcast) {
    unsigned number = 0;
    task.visit_broadcast([&]<class T>(broadcast<T>& array) {
      ++number;
      if (array.data != nullptr) return;
      throw usage_error("nothing fills broadcast " + std::to_string(number) +
                        " of the task, which is made without arguments: make it an array of fixed size, or "
                        "write a main() that fills it (duomap::task_main(argc, argv, task))");
    });
  }
}

}  // namespace duomap
