// What a task promises of its emits, so that a GPU need not count them first.
#pragma once

#include <concepts>
#include <cstdint>

namespace duomap {

namespace detail {

/// Up to 0.1 one constant, `emits_within_record`, promised both.
template <class Task>
concept promises_by_old_name = requires {
  { Task::emits_within_record } -> std::convertible_to<std::uint64_t>;
};

template <class Task>
[[deprecated(
    "emits_within_record is two promises now: max_emits_per_record, and keys_within_record = true "
    "where keys are bytes of the record")]] [[nodiscard]] constexpr std::uint64_t
emits_by_old_name() {
  return Task::emits_within_record;
}

template <class Task>
[[nodiscard]] constexpr std::uint64_t max_emits() {
  if constexpr (requires {
                  { Task::max_emits_per_record } -> std::convertible_to<std::uint64_t>;
                }) {
    return Task::max_emits_per_record;
  } else if constexpr (promises_by_old_name<Task>) {
    return emits_by_old_name<Task>();
  } else {
    return 0;
  }
}

template <class Task>
[[nodiscard]] constexpr bool keys_within() {
  if constexpr (requires {
                  { Task::keys_within_record } -> std::convertible_to<bool>;
                }) {
    return Task::keys_within_record;
  } else {
    return promises_by_old_name<Task>;
  }
}

}  // namespace detail

/// How often map emits for a record at most, `Task::max_emits_per_record`; 0: the task does not say.
template <class Task>
inline constexpr std::uint64_t max_emits_of = detail::max_emits<Task>();

/// Whether keys of variable length are bytes of their record, `Task::keys_within_record`.
template <class Task>
inline constexpr bool keys_are_within_record = detail::keys_within<Task>();

}  // namespace duomap
