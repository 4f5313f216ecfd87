// The pass of dense keys (gpu/engines/dense/pass.cuh).
#pragma once

#include "core/partial/dense.hpp"
#include "core/partial/partial_for.hpp"
#include "core/task.hpp"
#include "gpu/device_task.cuh"
#include "gpu/engines/dense/blocks.cuh"
#include "gpu/engines/dense/key_kernels.cuh"
#include "gpu/engines/dense/pass.cuh"
#include "gpu/engines/dense/path.hpp"
#include "gpu/engines/dense/tuning.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace duomap::gpu {

/// Plans chunks with more keys than fit into a block (device_cells_plan.cuh).
template <class Task>
class device_cells_plan;

/// Plans chunks with more keys than fit into a block, if records may be mapped several times
/// (many_keys/many_keys_plan.cuh).
template <class Task>
class many_keys_plan;

/// A task with broadcast arrays or text probably does much work for each record, so it maps each record once.
template <class Task>
using plan_beyond_block = std::conditional_t<has_broadcast<Task> || text_format<typename Task::format>,
                                             device_cells_plan<Task>, many_keys_plan<Task>>;

/// The pass of dense keys. Results are value tables of all keys.
template <class Task>
class key_pass {
 public:
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using table = value_table<value_type>;
  template <bool InParameters>
  using arguments = key_arguments<Task, InParameters>;
  static_assert(
      requires { sizeof(plan_beyond_block<Task>); },
      "this .cu file lacks code for more keys than a block has room for: include "
      "gpu/engines/dense/engine.cuh");

  /// Works on the calling thread's current device; `on` must outlive this object. `forced`: a path for many
  /// keys, which is then taken for few keys too.
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
  /// Whether run() can write a new result to host memory itself (stamped_result).
  [[nodiscard]] bool writes_stamped() const { return fits_in_block_; }

  /// Queues the reset of the result to "nothing was emitted".
  void clear(void* result) const {
    check(cudaMemsetAsync(table(result, keys_).present, 0, keys_, on_.get()), "clearing results");
    if (!fits_in_block_) clear_cells();
  }

  /// Decides how the chunk is mapped, and allocates the memory for that.
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
        blocks_of_device<format>(map_into_block_cells<Task, InParameters>, threads_, shared_bytes_, has_);
    blocks_ = static_cast<unsigned>(blocks_for(format_of(task), part, at_once));
    const std::uint64_t needed = table::bytes(keys_ * std::max(blocks_, 1u));
    if (memory_.size() < needed) {
      memory_ = {};
      memory_ = device_buffer(needed, on_);
    }
  }

  /// The arguments of the first kernel for the planned chunk. *bad_keys is set to 1 if a key is too large.
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

  template <bool InParameters>
  void run(const arguments<InParameters>& with, void* result, totals how,
           const stamped_result& told = {}) const {
    if (!fits_in_block_) {
      if (how == totals::replace) clear_cells();
      many_.run(with);
      if (how == totals::replace) settle(result);
      return;
    }
    launch(map_into_block_cells<Task, InParameters>, {blocks_, threads_, shared_bytes_, on_.get()}, with);
    constexpr unsigned warps = combine_threads / 32;
    launch_shape shape(static_cast<unsigned>(keys_ / warps + 1), combine_threads, 0, on_.get());
    shape.early = combine_waits_;
    launch(combine_keys<reduce_type>, shape, with.found, blocks_, keys_, reduce_, table(result, keys_), how,
           told);
  }

  /// Queues the step that makes the result readable after several chunks.
  void settle(void* result) const {
    if (fits_in_block_) return;
    launch(read_device_cells<reduce_type>, {sweep_blocks(), combine_threads, 0, on_.get()}, cells_,
           table(result, keys_));
  }

  /// Makes a partial from a result in host memory, aligned to 16.
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
  device_buffer memory_;  // holds the values of the blocks, or the cells
  device_cells<reduce_type> cells_;
  plan_beyond_block<Task> many_;  // used if a block has no room for all keys
  unsigned copies_log2_ = 0;
  unsigned threads_ = 0;
  std::uint64_t shared_bytes_ = 0;
  unsigned blocks_ = 0;
  bool combine_waits_ = waits_for_earlier(combine_keys<reduce_type>);
};

template <class Task>
  requires(std::same_as<typename Task::key, dense>)
struct pass_of<Task> {
  using type = key_pass<Task>;
};

}  // namespace duomap::gpu
