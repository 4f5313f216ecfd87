// Rows of results, and the orders for sorting them.
// host only
#pragma once

#include "core/key.hpp"
#include "core/task.hpp"

#include <concepts>
#include <type_traits>

namespace duomap {

/// The type of a value in a result: that of finish(), or of the reduced value if the task has no finish().
template <class Task, class Value>
[[nodiscard]] auto finished(const Task& task, const result_key<typename Task::key>& key, const Value& value) {
  if constexpr (requires { task.finish(key, value); }) {
    return task.finish(key, value);
  } else {
    return value;
  }
}

/// One row of a result. A key of variable length is a view into the result.
template <class Key, class Value>
struct result_row {
  Key key;
  Value value;
};

/// Orders rows by key (key_less()).
inline constexpr auto by_key = [](const auto& a, const auto& b) {
  return key_less(a.key, b.key);
};

/// Orders rows by value, largest first, NaN last; rows of equal value by key.
inline constexpr auto by_value = [](const auto& a, const auto& b) {
  if constexpr (std::floating_point<std::remove_cvref_t<decltype(a.value)>>) {
    // By <, NaN would equal every number, and sorting does not work with such an order.
    const bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    if (a_is_nan != b_is_nan) return b_is_nan;
  }
  if (b.value < a.value) return true;
  return !(a.value < b.value) && by_key(a, b);
};

}  // namespace duomap
