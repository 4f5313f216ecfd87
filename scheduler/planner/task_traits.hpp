// The properties of a task that decide how its run is planned.
#pragma once

#include "core/reduce.hpp"
#include "core/task.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>

namespace duomap::scheduler {

template <class Task>
concept estimates_its_time = requires(const Task task) {
  { task.cpu_seconds(std::uint64_t{}, 1u) } -> std::convertible_to<double>;
  { task.gpu_seconds(std::uint64_t{}) } -> std::convertible_to<double>;
};

/// A task's own estimate for a whole input (docs/reference/task.md). It is used where no measurement exists.
struct time_estimate {
  double pool_seconds = 0;    ///< time of the pool alone
  double device_seconds = 0;  ///< time of one device alone
};

struct task_traits {
  std::optional<time_estimate> estimate = std::nullopt;
};

/// The task's name in profiles. A task whose speed depends on its parameters adds them with `std::string
/// profile_parameters() const`. `home`: data_home().
template <map_reduce_task Task>
[[nodiscard]] std::string profile_name_of(const Task& task, std::string_view home) {
  std::string name;
  name.reserve(128);  // with room for the additions of run_history
  name = typeid(Task).name();
  if constexpr (requires {
                  { task.profile_parameters() } -> std::convertible_to<std::string>;
                }) {
    name += ' ';
    name += task.profile_parameters();
  }
  name += ' ';
  return name += home;
}

/// The task's estimate for `units` addressable units on `workers` workers, if it has one.
template <map_reduce_task Task>
[[nodiscard]] std::optional<time_estimate> estimate_of(const Task& task, std::uint64_t units,
                                                       unsigned workers) {
  if constexpr (estimates_its_time<Task>) {
    return time_estimate{task.cpu_seconds(units, workers), task.gpu_seconds(units)};
  } else {
    return std::nullopt;
  }
}

template <map_reduce_task Task>
[[nodiscard]] task_traits traits_of(const Task& task, std::uint64_t units, unsigned workers) {
  return {.estimate = estimate_of(task, units, workers)};
}

}  // namespace duomap::scheduler
