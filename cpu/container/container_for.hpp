// Which container a CPU worker uses for a task, chosen at compile time by key kind and reduction.
#pragma once

#include "core/task.hpp"
#include "cpu/container/collecting_container.hpp"
#include "cpu/container/dense_container.hpp"
#include "cpu/container/keyed_container.hpp"
#include "cpu/container/ordered_container.hpp"
#include "cpu/container/slots_container.hpp"
#include "cpu/container/top_container.hpp"

#include <type_traits>

namespace duomap::cpu {

// Every container offers
//   container(const Task&)                            made on the worker's own thread
//   emitter& begin_chunk(const chunk&), end_chunk()   the emitter map gets for that chunk
//   static partial combine(containers, task, pool)    the partial of all workers together

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
  } else {
    return std::type_identity<dense_container<Task>>{};
  }
}

}  // namespace detail

/// The container of a task.
template <map_reduce_task Task>
using container_for = typename decltype(detail::choose_container<Task>())::type;

}  // namespace duomap::cpu
