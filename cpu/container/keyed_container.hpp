// What one worker holds of a task with hashed keys and a commutative reduction.
#pragma once

#include "core/partial/keyed.hpp"
#include "core/partial/merge_keyed.hpp"
#include "core/task.hpp"
#include "cpu/container/keyed_emitter.hpp"

#include <memory>
#include <vector>

namespace duomap::cpu {

/// The worker's own table: no other thread touches it while chunks are mapped.
template <class Task>
class keyed_container {
 public:
  using partial = keyed_partial<typename Task::reduce::value_type>;

  explicit keyed_container(const Task& task) : emitter_(reduction_of(task)) {}

  template <class Body>
  void fill(const chunk& part, Body&& body) {
    emitter_.begin_chunk(part);
    body(emitter_);
    emitter_.end_chunk();
  }

  /// Merges all workers' tables, partitions in parallel. Their arenas live on in the partial.
  static partial combine(std::vector<std::unique_ptr<keyed_container>> containers, const Task& task,
                         worker_pool& pool) {
    using table = combining_table<typename Task::reduce::value_type>;
    std::vector<const table*> tables;
    for (const auto& container : containers) tables.push_back(&container->emitter_.table());
    partial merged = merge_keyed<typename Task::reduce::value_type>(tables, reduction_of(task), pool);
    for (const auto& container : containers) {
      merged.arenas.push_back(std::make_shared<const key_arena>(std::move(container->emitter_.arena())));
    }
    return merged;
  }

 private:
  keyed_emitter<typename Task::key, typename Task::reduce> emitter_;
};

}  // namespace duomap::cpu
