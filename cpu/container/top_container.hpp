// What one worker holds of a task with top_k.
#pragma once

#include "core/chunk.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/top.hpp"
#include "core/task.hpp"
#include "cpu/container/dense_key.hpp"

#include <utility>

namespace duomap::cpu {

/// A heap of the best k for each key, or one when there is no key.
template <class Task>
class top_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using partial = partial_for<Task>;

  explicit top_container(const Task& task) : emitter_{partial(dense_key_count(task)), reduction_of(task)} {}

  /// Emits into the heaps.
  struct emitter {
    partial values;
    typename Task::reduce reduce;

    void operator()(std::uint64_t key, const value_type& value) {
      require_dense_key<Task>(key, values.size());
      values[key].add(value, reduce);
    }
    void operator()(const value_type& value) { values[0].add(value, reduce); }

    /// What this worker's emits for a key must beat to be kept; nullptr while all are kept. For maps of whole
    /// chunks that can tell early what is not worth emitting.
    [[nodiscard]] const value_type* bound(std::uint64_t key) const { return values[key].bound(reduce); }
  };

  template <class Body>
  void fill(const chunk& /*part*/, Body&& body) {
    body(emitter_);
  }

  [[nodiscard]] partial take() { return std::move(emitter_.values); }

 private:
  emitter emitter_;
};

}  // namespace duomap::cpu
