// What one worker holds of a task with dense keys, or none, and a commutative reduction or top_k.
#pragma once

#include "core/error.hpp"
#include "core/partial/dense.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"

#include <utility>

namespace duomap::cpu {

/// An accumulator for each key: a value, or a heap of the best k.
template <class Task>
class dense_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using partial = partial_for<Task>;

  explicit dense_container(const Task& task) : emitter_{partial(dense_key_count(task)), reduction_of(task)} {}

  /// Emits into the accumulators.
  struct emitter {
    partial values;
    [[no_unique_address]] typename Task::reduce reduce;

    void operator()(std::uint64_t key, const value_type& value) {
      expects(key < values.size(), "map emitted a dense key that is not below key_count()");
      fold(key, value);
    }
    void operator()(const value_type& value) { fold(0, value); }

    /// values[i] under the key first + i.
    template <class Number>
    void block(std::uint64_t first, const Number* numbers,
               std::uint64_t count) requires(!duomap::detail::is_top_k<typename Task::reduce>) {
      expects(first <= values.size() && count <= values.size() - first,
              "map emitted a dense key that is not below key_count()");
      values.reduce_block(first, numbers, count, reduce);
    }

    /// Of top_k: what this worker's emits for a key must beat to be kept; nullptr while all are kept. For
    /// maps of whole chunks that can tell early what is not worth emitting.
    [[nodiscard]] const value_type* bound(std::uint64_t key) const
        requires(duomap::detail::is_top_k<typename Task::reduce>) {
      return values[key].bound(reduce);
    }

   private:
    void fold(std::uint64_t key, const value_type& value) {
      if constexpr (duomap::detail::is_top_k<typename Task::reduce>) {
        values[key].add(value, reduce);
      } else {
        values.reduce(key, value, reduce);
      }
    }
  };

  emitter& begin_chunk(const chunk& /*part*/) { return emitter_; }
  void end_chunk() {}

  [[nodiscard]] partial take() { return std::move(emitter_.values); }

 private:
  emitter emitter_;
};

}  // namespace duomap::cpu
