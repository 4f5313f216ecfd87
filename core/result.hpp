// The result of a run: the reduced values of all backends together, after finish().
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/error.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/slots.hpp"
#include "core/result/collected.hpp"
#include "core/result/dense.hpp"
#include "core/result/keyed.hpp"
#include "core/result/top.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <new>
#include <utility>

namespace duomap {

/// Returns the result of `work`, which needs memory for keys and values. If `work` throws std::bad_alloc,
/// throws out_of_memory instead, so that callers of a run or a merge never get std::bad_alloc.
/// @throws out_of_memory
template <class Work>
auto within_memory(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw out_of_memory(
        "out of memory: the keys and values that the workers keep did not fit; use fewer "
        "threads, fewer keys or a machine with more memory");
  }
}

template <map_reduce_task Task>
[[nodiscard]] auto make_result(const Task& task, partial_for<Task> merged,
                               [[maybe_unused]] worker_pool& pool) {
  if constexpr (requires { task.finish_slots(merged); }) {
    return task.finish_slots(merged);
  } else if constexpr (detail::is_slots<typename Task::reduce>) {
    return merged;
  } else if constexpr (detail::is_collect<typename Task::reduce>) {
    return collected_result<Task>(task, std::move(merged), pool);
  } else if constexpr (detail::is_top_k<typename Task::reduce>) {
    return top_result<Task>(task, std::move(merged));
  } else if constexpr (order_matters<Task> && hashed_key<typename Task::key>) {
    return keyed_result<Task>(task, fold_in_order(std::move(merged), reduction_of(task), pool));
  } else if constexpr (order_matters<Task>) {
    dense_partial<typename Task::reduce::value_type> folded(dense_key_count(task));
    for (const auto& run : merged.runs) {
      for (const auto& entry : run.entries) {
        folded.reduce(key_from<std::uint64_t>(entry.key), entry.value, reduction_of(task));
      }
    }
    return dense_result<Task>(task, std::move(folded));
  } else if constexpr (hashed_key<typename Task::key>) {
    return keyed_result<Task>(task, std::move(merged));
  } else {
    return dense_result<Task>(task, std::move(merged));
  }
}

/// The result of a task: keyed_result, dense_result, collected_result, top_result, or slots_partial. In a
/// slots_partial, get<I>() gives the value of slot I, or nothing.
template <map_reduce_task Task>
using result_for = decltype(make_result(std::declval<const Task&>(), std::declval<partial_for<Task>>(),
                                        std::declval<worker_pool&>()));

}  // namespace duomap
