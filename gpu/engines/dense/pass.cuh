// What one launch over a chunk needs, for the engine, which folds launches into running totals, and for the
// resident loop, which replays one: memory, shapes, arguments.
#pragma once

#include "core/partial/dense.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/slots.hpp"
#include "core/task.hpp"
#include "gpu/engines/dense/blocks.cuh"
#include "gpu/engines/dense/key_kernels.cuh"
#include "gpu/engines/dense/many_keys/many_keys_plan.cuh"
#include "gpu/engines/dense/path.hpp"
#include "gpu/engines/dense/slot_kernels.cuh"
#include "gpu/engines/dense/tuning.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace duomap::gpu {

/// Dense keys. Results are value tables of all keys.
template <class Task>
class key_pass {
 public:
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using table = value_table<value_type>;
  template <bool InParameters>
  using arguments = key_arguments<Task, InParameters>;

  /// For the calling thread's current device; `on` must outlive it. `forced`: a path for keys that no block
  /// has room for is taken for however few.
  key_pass(const Task& task, const stream& on, dense_path forced = dense_path::automatic)
    : keys_(task.key_count()),
      reduce_(reduction_of(task)),
      on_(on),
      has_(device_limits::current()),
      fits_in_block_(forced == dense_path::automatic && place(0).in_block),
      many_(keys_, forced, has_, on) {
    if (!fits_in_block_) {
      memory_ = device_buffer(device_cells<reduce_type>::bytes(keys_), on);
      cells_ = {memory_.as<void>(), keys_};
    }
  }

  [[nodiscard]] std::uint64_t result_bytes() const { return table::bytes(keys_); }

  /// Queues: nothing was emitted.
  void clear(void* result) const {
    check(cudaMemsetAsync(table(result, keys_).present, 0, keys_, on_.get()), "clearing results");
    if (!fits_in_block_) clear_cells();
  }

  /// Decides how a chunk is mapped; allocates what that needs.
  template <bool InParameters>
  void plan(const Task& task, const chunk& part) {
    if (!fits_in_block_) {
      many_.template make<InParameters>(task, part);
      return;
    }
    using format = typename Task::format;
    const std::uint64_t records = records_of_block(format_of(task), part, has_);
    threads_ = threads_of_block<format>(records);
    copies_log2_ = place(records).copies_log2;
    shared_bytes_ =
        storage_bytes<format> + block_cells<reduce_type>::bytes(keys_, std::uint64_t{1} << copies_log2_);
    const std::uint64_t at_once =
        blocks_of_device<format>(kernel<InParameters>(), threads_, shared_bytes_, has_);
    blocks_ = static_cast<unsigned>(blocks_for(format_of(task), part, at_once));
    const std::uint64_t needed = table::bytes(keys_ * std::max(blocks_, 1u));
    if (memory_.size() < needed) {
      memory_ = {};
      memory_ = device_buffer(needed, on_);
    }
  }

  /// Whether the planned chunk has no records.
  [[nodiscard]] bool is_empty() const { return fits_in_block_ ? blocks_ == 0 : many_.is_empty(); }

  template <bool InParameters>
  [[nodiscard]] auto kernel() const -> void (*)(arguments<InParameters>) {
    return fits_in_block_ ? map_into_block_cells<Task, InParameters> : many_.template kernel<InParameters>();
  }

  /// Of the kernel, for the chunk that was planned. `bad_keys`: set to 1 when a key is too large.
  template <bool InParameters>
  [[nodiscard]] arguments<InParameters> arguments_for(const task_parameter<Task, InParameters>& task,
                                                      const chunk& part, unsigned* bad_keys) const {
    return {format_of(task.task),
            reduce_,
            part,
            keys_,
            bad_keys,
            fits_in_block_ ? copies_log2_ : many_.copies_log2(),
            fits_in_block_ ? table(memory_.as<void>(), keys_ * std::max(blocks_, 1u)) : table(),
            cells_,
            many_.ranges(),
            many_.tiles(),
            task};
  }

  /// Queues the planned chunk.
  template <bool InParameters>
  void run(const arguments<InParameters>& with, void* result, totals how) const {
    if (!fits_in_block_) {
      if (how == totals::replace) clear_cells();
      many_.run(with);
      if (how == totals::replace) settle(result);
      return;
    }
    launch(kernel<InParameters>(), {blocks_, threads_, shared_bytes_, on_.get()}, with);
    constexpr unsigned warps = combine_threads / 32;
    launch(combine_keys<reduce_type>,
           {static_cast<unsigned>((keys_ + warps - 1) / warps), combine_threads, 0, on_.get()}, with.found,
           blocks_, keys_, reduce_, table(result, keys_), how);
  }

  /// Queues what is left to do after the last of several chunks before the result can be read.
  void settle(void* result) const {
    if (fits_in_block_) return;
    launch(read_device_cells<reduce_type>, {sweep_blocks(), combine_threads, 0, on_.get()}, cells_,
           table(result, keys_));
  }

  /// A result that is in host memory, aligned to 16.
  [[nodiscard]] partial_for<Task> partial(void* result) const {
    const table from(result, keys_);
    dense_partial<value_type> partial(keys_);
    for (std::uint64_t key = 0; key < keys_; ++key) {
      if (from.present[key] != 0) partial.reduce(key, from.values[key], reduce_);
    }
    return partial;
  }

 private:
  [[nodiscard]] dense_placement place(std::uint64_t records) const {
    constexpr std::uint64_t storage = storage_bytes<typename Task::format>;
    return place_dense(keys_, 4 * block_cells<reduce_type>::words, has_start_value<reduce_type>,
                       threads_of<typename Task::format>,
                       has_.shared_per_block > storage ? has_.shared_per_block - storage : 0, records);
  }

  [[nodiscard]] unsigned sweep_blocks() const {
    return static_cast<unsigned>(
        std::min<std::uint64_t>(has_.multiprocessors * 8, (keys_ + combine_threads - 1) / combine_threads));
  }
  void clear_cells() const {
    launch(clear_device_cells<reduce_type>, {sweep_blocks(), combine_threads, 0, on_.get()}, cells_, reduce_);
  }

  std::uint64_t keys_;
  reduce_type reduce_;
  const stream& on_;
  device_limits has_;
  bool fits_in_block_;
  device_buffer memory_;  // what blocks have found, or the cells
  device_cells<reduce_type> cells_;
  many_keys_plan<Task> many_;  // where no block has room for all keys
  unsigned copies_log2_ = 0;
  unsigned threads_ = 0;
  std::uint64_t shared_bytes_ = 0;
  unsigned blocks_ = 0;
};

/// No key, or slots. A result is one value for each slot.
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

  void clear(void* result) const {
    check(cudaMemsetAsync(result, 0, result_bytes(), on_.get()), "clearing results");
  }

  template <bool InParameters>
  void plan(const Task& task, const chunk& part) {
    using format = typename Task::format;
    threads_ = threads_of_block<format>(records_of_block(format_of(task), part, has_));
    shared_bytes_ = std::max(storage_bytes<format>, detail::meeting_bytes<reductions>);
    const std::uint64_t at_once =
        blocks_of_device<format>(kernel<InParameters>(), threads_, shared_bytes_, has_);
    blocks_ = static_cast<unsigned>(blocks_for(format_of(task), part, at_once));
    if (memory_.size() < types::bytes(at_once)) {
      memory_ = {};
      memory_ = device_buffer(types::bytes(at_once), on_);
    }
  }

  /// Whether the planned chunk has no records.
  [[nodiscard]] bool is_empty() const { return blocks_ == 0; }

  template <bool InParameters>
  [[nodiscard]] auto kernel() const -> void (*)(arguments<InParameters>) {
    return map_into_registers<Task, InParameters>;
  }

  template <bool InParameters>
  [[nodiscard]] arguments<InParameters> arguments_for(const task_parameter<Task, InParameters>& task,
                                                      const chunk& part, unsigned* /*bad_keys*/) const {
    return {format_of(task.task), types::make(reductions_), part,
            types::in(memory_.as<void>(), std::max(blocks_, 1u)), task};
  }

  template <bool InParameters>
  void run(const arguments<InParameters>& with, void* result, totals how) const {
    launch(kernel<InParameters>(), {blocks_, threads_, shared_bytes_, on_.get()}, with);
    launch(combine_slots<reductions>, {1, combine_threads, 0, on_.get()}, with.found, blocks_,
           with.reductions, types::in(result, 1), how);
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
};

template <class Task>
using pass_for = std::conditional_t<std::same_as<typename Task::key, dense>, key_pass<Task>, slot_pass<Task>>;

}  // namespace duomap::gpu
