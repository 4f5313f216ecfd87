// What one worker holds of a task with top_k.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/key.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/top.hpp"
#include "core/task.hpp"

#include <concepts>
#include <cstdint>
#include <utility>

namespace duomap::cpu {

/// A heap of the best k for each key, or one when there is no key.
template <class Task>
class top_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using partial = partial_for<Task>;

  explicit top_container(const Task& task) : values_(dense_key_count(task)), reduce_(reduction_of(task)) {}

  template <class Body>
  void fill(const chunk& /*part*/, Body&& body) {
    if constexpr (std::same_as<typename Task::key, no_key>) {
      emitter_without_key emit{values_[0], reduce_};
      body(emit);
    } else {
      emitter emit{values_, reduce_};
      body(emit);
    }
  }

  [[nodiscard]] partial take() { return std::move(values_); }

 private:
  using best = best_values<value_type, decltype(Task::reduce::better)>;

  // Both are local variables of the loop over a chunk, as in dense_container.
  struct emitter {
    partial& values;
    typename Task::reduce reduce;

    void operator()(std::uint64_t key, const value_type& value) {
      require_dense_key<Task>(key, values.size());
      values[key].add(value, reduce);
    }

    /// What this worker's emits for a key must beat to be kept; nullptr while all are kept. For maps of whole
    /// chunks that can tell early what is not worth emitting.
    [[nodiscard]] const value_type* bound(std::uint64_t key) const { return values[key].bound(reduce); }
  };

  struct emitter_without_key {
    best& kept;
    const typename Task::reduce& reduce;
    const value_type* worst = kept.bound(reduce);

    void operator()(const value_type& value) {
      // Nearly all values end here.
      if (worst != nullptr && !reduce.better(value, *worst)) return;
      worst = keep(kept, value_type(value), reduce);
    }

    [[nodiscard]] const value_type* bound(std::uint64_t /*key*/) const { return worst; }
  };

  // Out of line, and given a copy of the value, so that the emitter and what map emits stay in registers.
  [[gnu::noinline]] static const value_type* keep(best& kept, const value_type& value,
                                                  const typename Task::reduce& reduce) {
    kept.add(value, reduce);
    return kept.bound(reduce);
  }

  partial values_;
  typename Task::reduce reduce_;
};

}  // namespace duomap::cpu
