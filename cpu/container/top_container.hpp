// What one worker holds of a top-k task.
#pragma once

#include "core/error.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"

#include <utility>

namespace duomap::cpu {

/// A heap of the best k values for each key.
template <class Task>
class top_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using partial = partial_for<Task>;

  explicit top_container(const Task& task) : emitter_{partial(dense_key_count(task)), reduction_of(task)} {}

  /// Emits into the heaps.
  struct emitter {
    partial best;
    typename Task::reduce reduce;

    void operator()(std::uint64_t key, const value_type& value) {
      expects(key < best.size(), "map emitted a dense key that is not below key_count()");
      best[key].add(value, reduce);
    }
    void operator()(const value_type& value) { best[0].add(value, reduce); }
  };

  emitter& begin_chunk(const chunk& /*part*/) { return emitter_; }
  void end_chunk() {}

  [[nodiscard]] partial take() { return std::move(emitter_.best); }

 private:
  emitter emitter_;
};

}  // namespace duomap::cpu
