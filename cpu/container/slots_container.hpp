// A worker's container for a task with slots.
#pragma once

#include "core/memory_reservation.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/slots.hpp"
#include "core/task.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace duomap::cpu {

/// Keeps one value for each slot.
template <class Task>
class slots_container {
 public:
  using partial = partial_for<Task>;

  explicit slots_container(const Task& task, const shared_budget& /*memory*/ = nullptr)
    : reduce_(reduction_of(task)) {}

  template <class Body>
  void fill(const chunk& /*part*/, Body&& body) {
    emitter emit{{}, reduce_};
    body(emit);
    values_.reduce(emit.values, reduce_);
  }

  [[nodiscard]] partial take() { return std::move(values_); }

 private:
  struct emitter {
    partial values;
    typename Task::reduce reduce;

    template <std::size_t I>
    void operator()(std::integral_constant<std::size_t, I> /*slot*/,
                    const emit_type<std::tuple_element_t<I, decltype(reduce.reductions)>>& emitted) {
      values.template fold<I>(emitted, reduce);
    }
  };

  partial values_;
  typename Task::reduce reduce_;
};

}  // namespace duomap::cpu
