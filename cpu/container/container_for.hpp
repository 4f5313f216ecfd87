// Chooses the container that a CPU worker uses for a task, at compile time, by key kind and reduction.
#pragma once

#include "core/partial/partial_for.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"
#include "cpu/container/collecting_container.hpp"
#include "cpu/container/dense_container.hpp"
#include "cpu/container/keyed_container.hpp"
#include "cpu/container/ordered_container.hpp"
#include "cpu/container/single_container.hpp"
#include "cpu/container/slots_container.hpp"
#include "cpu/container/top_container.hpp"

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::cpu {

// Every container has these functions:
//   container(const Task&)    called on the worker's own thread
//   fill(const chunk&, body)  calls body(emit) once; emit is the emitter for that chunk
//   partial take()            returns the container's partial, at the end
// keyed_container has combine(containers, task, pool) in place of take(). It merges the workers' tables
// without making a partial of each table first.

namespace detail {

template <class Task>
[[nodiscard]] constexpr auto choose_container() {
  using reduce = typename Task::reduce;
  if constexpr (duomap::detail::is_slots<reduce>) {
    return std::type_identity<slots_container<Task>>{};
  } else if constexpr (duomap::detail::is_collect<reduce>) {
    return std::type_identity<collecting_container<Task>>{};
  } else if constexpr (duomap::detail::is_top_k<reduce>) {
    return std::type_identity<top_container<Task>>{};
  } else if constexpr (order_matters<Task>) {
    return std::type_identity<ordered_container<Task>>{};
  } else if constexpr (hashed_key<typename Task::key>) {
    return std::type_identity<keyed_container<Task>>{};
  } else if constexpr (std::same_as<typename Task::key, no_key>) {
    return std::type_identity<single_container<Task>>{};
  } else {
    return std::type_identity<dense_container<Task>>{};
  }
}

}  // namespace detail

template <map_reduce_task Task>
using container_for = typename decltype(detail::choose_container<Task>())::type;

/// The partial of all workers together.
template <map_reduce_task Task>
[[nodiscard]] partial_for<Task> combine(std::vector<std::unique_ptr<container_for<Task>>> containers,
                                        const Task& task, worker_pool& pool) {
  if constexpr (requires { container_for<Task>::combine(std::move(containers), task, pool); }) {
    return container_for<Task>::combine(std::move(containers), task, pool);
  } else {
    std::vector<partial_for<Task>> partials;
    for (auto& container : containers) partials.push_back(container->take());
    return merge_partials(std::move(partials), task, pool);
  }
}

}  // namespace duomap::cpu
