// Rows of results, and the orders they can be put in.
// host only
#pragma once

#include "core/key.hpp"
#include "core/task.hpp"

#include <concepts>
#include <type_traits>

namespace duomap {

/// The value of a result: what finish() makes of the reduced value, or the reduced value itself.
template <class Task, class Value>
[[nodiscard]] auto finished(const Task& task, const result_key<typename Task::key>& key, const Value& value) {
  if constexpr (requires { task.finish(key, value); }) {
    return task.finish(key, value);
  } else {
    return value;
  }
}

/// One row of a result. A key of variable length is a view into the result it came from.
template <class Key, class Value>
struct result_row {
  Key key;
  Value value;
};

/// Orders rows by key: bytes as unsigned characters, fixed-size keys by their own <.
inline constexpr auto by_key = [](const auto& a, const auto& b) {
  if constexpr (std::is_same_v<std::decay_t<decltype(a.key)>, byte_view>) {
    return a.key.text() < b.key.text();
  } else if constexpr (requires {
                         { a.key < b.key } -> std::convertible_to<bool>;
                       }) {
    return a.key < b.key;
  } else {
    const byte_view left = key_bytes(a.key);
    return left.text() < key_bytes(b.key).text();
  }
};

/// Orders rows by value, largest first; rows of equal value by key.
inline constexpr auto by_value = [](const auto& a, const auto& b) {
  if (b.value < a.value) return true;
  return !(a.value < b.value) && by_key(a, b);
};

}  // namespace duomap
