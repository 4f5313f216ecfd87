// What one worker holds of a task with dense keys, or none, and a commutative reduction.
#pragma once

#include "core/error.hpp"
#include "core/partial/dense.hpp"
#include "core/task.hpp"

#include <utility>

namespace duomap::cpu {

/// An accumulator for each key.
template <class Task>
class dense_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using partial = dense_partial<value_type>;

  explicit dense_container(const Task& task) : emitter_{partial(dense_key_count(task)), reduction_of(task)} {}

  /// Emits into the accumulators.
  struct emitter {
    partial values;
    [[no_unique_address]] typename Task::reduce reduce;

    void operator()(std::uint64_t key, const value_type& value) {
      expects(key < values.size(), "map emitted a dense key that is not below key_count()");
      values.reduce(key, value, reduce);
    }
    void operator()(const value_type& value) { values.reduce(0, value, reduce); }
  };

  emitter& begin_chunk(const chunk& /*part*/) { return emitter_; }
  void end_chunk() {}

  [[nodiscard]] partial take() { return std::move(emitter_.values); }

 private:
  emitter emitter_;
};

}  // namespace duomap::cpu
