// A worker's container for a task without keys and with a commutative reduction. It keeps one value.
#pragma once

#include "core/chunk.hpp"
#include "core/memory_reservation.hpp"
#include "core/partial/dense.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"
#include "cpu/container/chunk_value.hpp"

#include <utility>

namespace duomap::cpu {

template <class Task>
class single_container {
 public:
  using partial = partial_for<Task>;

  explicit single_container(const Task& task, const shared_budget& /*memory*/ = nullptr)
    : value_(1), reduce_(reduction_of(task)) {}

  template <class Body>
  void fill(const chunk& /*part*/, Body&& body) {
    chunk_value<typename Task::reduce> emit(reduce_);
    body(emit);
    if (emit.any()) value_.reduce(0, emit.value(), reduce_);
  }

  [[nodiscard]] partial take() { return std::move(value_); }

 private:
  partial value_;
  [[no_unique_address]] typename Task::reduce reduce_;
};

}  // namespace duomap::cpu
