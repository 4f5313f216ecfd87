// Merges the partials of a step.
#pragma once

#include "core/partial/partial_for.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <utility>
#include <vector>

namespace duomap::scheduler {

/// Merges one or more partials, on the calling thread if that is faster than waking the pool's threads.
template <map_reduce_task Task>
[[nodiscard]] partial_for<Task> merge_step(std::vector<partial_for<Task>> found, const Task& task,
                                           worker_pool& caller, worker_pool& pool) {
  constexpr bool is_table = !hashed_key<typename Task::key> && !order_matters<Task> &&
                            (reduction<typename Task::reduce> || detail::is_slots<typename Task::reduce>);
  if constexpr (is_table) {
    if (found.size() == 1) return std::move(found.front());
    // Up to 65,536 keys are merged on the calling thread, because waking threads would take longer.
    if (dense_key_count(task) <= 65'536) return merge_partials(std::move(found), task, caller);
  }
  return merge_partials(std::move(found), task, pool);
}

}  // namespace duomap::scheduler
