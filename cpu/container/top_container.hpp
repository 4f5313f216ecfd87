// A worker's container for a task with top_k.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/key.hpp"
#include "core/memory_budget.hpp"
#include "core/memory_reservation.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/top.hpp"
#include "core/task.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>

namespace duomap::cpu {

/// Keeps a heap of the best k values for each key, or one heap when there is no key.
template <class Task>
class top_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using partial = partial_for<Task>;

  explicit top_container(const Task& task, const shared_budget& memory = nullptr)
    : memory_(memory), values_(keys_within(task, memory)), reduce_(reduction_of(task)) {}

  template <class Body>
  void fill(const chunk& /*part*/, Body&& body) {
    if constexpr (std::same_as<typename Task::key, no_key>) {
      emitter_without_key emit{values_[0], reduce_, memory_.get()};
      body(emit);
    } else {
      emitter emit{values_, reduce_, memory_.get()};
      body(emit);
    }
  }

  [[nodiscard]] partial take() { return std::move(values_); }

 private:
  using best = best_values<value_type, decltype(Task::reduce::better)>;

  // Both emitters are local variables of the loop over a chunk, as in dense_container.
  struct emitter {
    partial& values;
    typename Task::reduce reduce;
    memory_budget* memory;

    void operator()(std::uint64_t key, const value_type& value) {
      require_dense_key<Task>(key, values.size());
      add(values[key], value, reduce, memory);
    }

    /// The value that an emit for a key must beat to be kept by this worker. It is nullptr while all emits
    /// are kept. A map of whole chunks can skip the emits that do not beat it.
    [[nodiscard]] const value_type* bound(std::uint64_t key) const { return values[key].bound(reduce); }
  };

  struct emitter_without_key {
    best& kept;
    const typename Task::reduce& reduce;
    memory_budget* memory;
    const value_type* worst = kept.bound(reduce);

    void operator()(const value_type& value) {
      // Nearly all values lose against the worst kept value, so they return here.
      if (worst != nullptr && !reduce.better(value, *worst)) return;
      worst = keep(kept, value_type(value), reduce, memory);
    }

    [[nodiscard]] const value_type* bound(std::uint64_t /*key*/) const { return worst; }
  };

  /// Takes the memory for the heap of each key, and returns the number of keys.
  [[nodiscard]] static std::uint64_t keys_within(const Task& task, const shared_budget& memory) {
    const std::uint64_t keys = dense_key_count(task);
    if (memory) memory->take(keys * sizeof(best), "the best values of each key");
    return keys;
  }

  // The function is out of line and gets a copy of the value, so that the emitter and the emitted values can
  // stay in registers.
  [[gnu::noinline]] static const value_type* keep(best& kept, const value_type& value,
                                                  const typename Task::reduce& reduce,
                                                  memory_budget* memory) {
    add(kept, value, reduce, memory);
    return kept.bound(reduce);
  }

  static void add(best& kept, const value_type& value, const typename Task::reduce& reduce,
                  memory_budget* memory) {
    if (memory == nullptr || !kept.grows(reduce)) [[likely]] {
      kept.add(value, reduce);
      return;
    }
    // Both lists exist while the values move from the old list to the new one. The result keeps the new list.
    const std::uint64_t before = kept.capacity_bytes();
    memory->take(std::max<std::uint64_t>(sizeof(value_type), 2 * before), "the best values of each key");
    kept.add(value, reduce);
    memory->give_back(before);
  }

  shared_budget memory_;
  partial values_;
  typename Task::reduce reduce_;
};

}  // namespace duomap::cpu
