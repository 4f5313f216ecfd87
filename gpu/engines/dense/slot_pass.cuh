// The pass of no key and of slots (gpu/engines/dense/pass.cuh).
#pragma once

#include "core/partial/dense.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/slots.hpp"
#include "core/task.hpp"
#include "gpu/engines/dense/blocks.cuh"
#include "gpu/engines/dense/pass.cuh"
#include "gpu/engines/dense/path.hpp"
#include "gpu/engines/dense/slot_kernels.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace duomap::gpu {

/// The pass of tasks without a key and of slots. A result is one value for each slot.
template <class Task>
class slot_pass {
 public:
  using reductions = slots_of<Task>;
  using types = detail::slot_types<reductions>;
  template <bool InParameters>
  using arguments = slot_arguments<Task, InParameters>;

  slot_pass(const Task& task, const stream& on, dense_path /*forced*/ = dense_path::automatic)
    : reductions_(slot_list<typename Task::reduce>::of(reduction_of(task))),
      reduce_(reduction_of(task)),
      on_(on),
      has_(device_limits::current()) {}

  [[nodiscard]] std::uint64_t result_bytes() const { return types::bytes(1); }
  [[nodiscard]] bool writes_stamped() const { return true; }

  void clear(void* result) const {
    check(cudaMemsetAsync(result, 0, result_bytes(), on_.get()), "clearing results");
  }

  template <bool InParameters>
  void plan(const Task& task, const chunk& part) {
    using format = typename Task::format;
    threads_ = threads_of_block<format>(records_of_block(format_of(task), part, has_));
    shared_bytes_ = std::max(storage_bytes<format>, detail::meeting_bytes<reductions>);
    const std::uint64_t at_once =
        blocks_of_device<format>(map_into_registers<Task, InParameters>, threads_, shared_bytes_, has_);
    blocks_ = static_cast<unsigned>(blocks_for(format_of(task), part, at_once));
    if (memory_.size() < types::bytes(at_once)) {
      memory_ = {};
      memory_ = device_buffer(types::bytes(at_once), on_);
    }
  }

  template <bool InParameters>
  [[nodiscard]] arguments<InParameters> arguments_for(const task_parameter<Task, InParameters>& task,
                                                      const chunk& part, unsigned* /*bad_keys*/) const {
    return {format_of(task.task), types::make(reductions_), part,
            types::in(memory_.as<void>(), std::max(blocks_, 1u)), task};
  }

  template <bool InParameters>
  void run(const arguments<InParameters>& with, void* result, totals how,
           const stamped_result& told = {}) const {
    launch(map_into_registers<Task, InParameters>, {blocks_, threads_, shared_bytes_, on_.get()}, with);
    launch_shape shape(1, combine_threads, 0, on_.get());
    shape.early = combine_waits_;
    launch(combine_slots<reductions>, shape, with.found, blocks_, with.reductions, types::in(result, 1), how,
           told);
  }

  void settle(void* /*result*/) const {}

  [[nodiscard]] partial_for<Task> partial(void* result) const {
    return partial_of(types::in(result, 1), std::make_index_sequence<slot_count<reductions>>{});
  }

 private:
  template <std::size_t... I>
  [[nodiscard]] partial_for<Task> partial_of(const typename types::tables& from,
                                             std::index_sequence<I...>) const {
    if constexpr (duomap::detail::is_slots<typename Task::reduce>) {
      partial_for<Task> partial;
      (..., (detail::at<I>(from)->present ? partial.template reduce<I>(detail::at<I>(from)->value, reduce_)
                                          : void()));
      return partial;
    } else {
      partial_for<Task> partial(1);
      if (detail::at<0>(from)->present) partial.reduce(0, detail::at<0>(from)->value, reduce_);
      return partial;
    }
  }

  reductions reductions_;
  typename Task::reduce reduce_;
  const stream& on_;
  device_limits has_;
  device_buffer memory_;
  unsigned threads_ = 0;
  std::uint64_t shared_bytes_ = 0;
  unsigned blocks_ = 0;
  bool combine_waits_ = waits_for_earlier(combine_slots<reductions>);
};

template <class Task>
  requires(std::same_as<typename Task::key, no_key>)
struct pass_of<Task> {
  using type = slot_pass<Task>;
};

}  // namespace duomap::gpu
