// A worker's container for a task with dense keys and a commutative reduction.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/memory_budget.hpp"
#include "core/memory_reservation.hpp"
#include "core/partial/dense.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <typeinfo>
#include <utility>

namespace duomap::cpu {

/// A value for each key.
template <class Task>
class dense_container {
 public:
  using emitted_type = emit_type<typename Task::reduce>;
  using partial = partial_for<Task>;

  /// `task` must outlive the container.
  explicit dense_container(const Task& task, const shared_budget& memory = nullptr)
    : task_(task), reduce_(reduction_of(task)), values_(keys_within(task, memory), first_value(reduce_)) {}

  /// Calls body(emit) with an emitter for the chunk. Once every key has a value, emitters need not check
  /// whether a key has one. Nearly all chunks get such an emitter.
  template <class Body>
  void fill(const chunk& /*part*/, Body&& body) {
    present_ = values_.first_absent_from(present_);
    // Each chunk asks for the number of keys anew. If key_count() is a constant, compilers see which keys are
    // below it and leave out the check.
    const std::uint64_t keys = dense_key_count(task_);
    expects(keys == values_.size(), "key_count() gives another number than before");
    if (present_ == keys) {
      emitter_to_present emit{values_.cells(), keys, reduce_};
      body(emit);
    } else {
      emitter_to_any emit{values_.in_memory(), keys, reduce_};
      body(emit);
    }
  }

  [[nodiscard]] partial take() { return std::move(values_); }

 private:
  using value_type = typename Task::reduce::value_type;

  // Whether values begin with the identity of the reduction, so that an emit need not ask whether its key has
  // a value. Floating point does not, because -0.0 alone is another number than 0.0 + -0.0.
  static constexpr bool begins_with_identity =
      std::integral<value_type> && has_identity<typename Task::reduce>;

  /// Takes the memory for a value of each key, and returns the number of keys. The result keeps the memory
  /// that one worker took.
  [[nodiscard]] static std::uint64_t keys_within(const Task& task, const shared_budget& memory) {
    const std::uint64_t keys = dense_key_count(task);
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(keys, sizeof(typename partial::cell) + 1, &bytes)) bytes = ~std::uint64_t{0};
    if (memory) memory->take(bytes, "a value for each key");
    return keys;
  }

  [[nodiscard]] static value_type first_value([[maybe_unused]] const typename Task::reduce& reduce) {
    if constexpr (begins_with_identity) return reduce.identity();
    return {};
  }

  // The emitters are local variables of the loop over a chunk. So compilers know that writing a value cannot
  // change an address in the emitter, and keep the values of a few keys in registers.
  struct emitter_to_present {
    typename partial::cell* values;
    std::uint64_t keys;
    [[no_unique_address]] typename Task::reduce reduce;

    void operator()(std::uint64_t key, const emitted_type& emitted) {
      require_dense_key<Task>(key, keys);
      fold_emit(reduce, values[key].value, true, emitted);
    }

    /// The memory of the values, for machine code from another compiler, which cannot inline the emitter.
    [[nodiscard]] typename partial::memory in_memory() const noexcept { return {values, nullptr}; }

    /// Folds numbers[i] into the value of the key first + i.
    template <class Number>
    void block(std::uint64_t first, const Number* numbers, std::uint64_t count) {
      if (first > keys || count > keys - first) [[unlikely]]
        throw_key_out_of_range(typeid(Task).name(), std::max(first, keys), keys);
      typename partial::cell* const to = values + first;
      for (std::uint64_t i = 0; i < count; ++i)
        fold_emit(reduce, to[i].value, true, static_cast<emitted_type>(numbers[i]));
    }
  };

  struct emitter_to_any {
    typename partial::memory at;
    std::uint64_t keys;
    [[no_unique_address]] typename Task::reduce reduce;

    void operator()(std::uint64_t key, const emitted_type& emitted) {
      require_dense_key<Task>(key, keys);
      fold_emit(reduce, at.cells[key].value, begins_with_identity || at.present[key] != 0, emitted);
      at.present[key] = 1;
    }

    [[nodiscard]] typename partial::memory in_memory() const noexcept { return at; }
  };

  const Task& task_;
  [[no_unique_address]] typename Task::reduce reduce_;
  partial values_;
  std::uint64_t present_ = 0;  // every key below this one has a value
};

}  // namespace duomap::cpu
