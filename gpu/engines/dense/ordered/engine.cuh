// Reduces dense keys by reductions that do not commute: every chunk leaves a run of its keys, and the host
// folds the runs in the order of the input.
#pragma once

#include "core/chunk.hpp"
#include "core/compact_key.hpp"
#include "core/error.hpp"
#include "core/key.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/dense/blocks.cuh"
#include "gpu/engines/dense/combine.cuh"
#include "gpu/engines/dense/ordered/map_kernel.cuh"
#include "gpu/engines/dense/ordered/tuning.hpp"
#include "gpu/engines/dense/task_parameter.cuh"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/engine_maker.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/engines/ready_partial.hpp"
#include "gpu/options.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/recycling_queue.hpp"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <typeinfo>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// The engine. gpu/engines/engine.hpp describes the functions.
template <dense_task Task>
  requires order_matters<Task>
class ordered_engine final : public engine {
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using format = typename Task::format;
  using table = value_table<value_type>;

 public:
  /// Works on the calling thread's current device. `on` and `host` must outlive the engine.
  ordered_engine(const Task& task, const backend_options& options, const stream& on,
                 host_partials<Task>& host)
    : task_(task), on_(on), host_(host), keys_(dense_key_count(task)), bad_keys_(sizeof(unsigned)) {
    if (has_broadcast<Task> && broadcast_bytes(task) <= parameter_array_bytes) on_host_.emplace(task, on);
    *bad_keys_.template as<unsigned>() = 0;
    with_parameter(task_, on_host_ ? &on_host_->task() : nullptr,
                   [&]<bool In>(const task_parameter<Task, In>&) { place<In>(options); });
  }

  ~ordered_engine() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::dense; }

  void enqueue(const chunk& resident) override {
    auto next = open_.spare(table::bytes(keys_), on_);
    next->part = resident;
    next->seen.resize((table::bytes(keys_) + sizeof(uint4) - 1) / sizeof(uint4));
    const auto blocks = static_cast<unsigned>(blocks_for(format_of(task_), resident, blocks_));
    if (found_.size() == 0) found_ = device_buffer(table::bytes(keys_ * blocks_), on_);
    with_parameter(
        task_, on_host_ ? &on_host_->task() : nullptr, [&]<bool In>(const task_parameter<Task, In>& task) {
          const ordered_arguments<Task, In> with{format_of(task_),
                                                 reduction_of(task_),
                                                 resident,
                                                 keys_,
                                                 bad_keys_.template as<unsigned>(),
                                                 mappers_,
                                                 table(found_.template as<void>(), keys_ * blocks_),
                                                 task};
          launch(map_in_order<Task, In>, {blocks, block_threads, shared_bytes_, on_.get()}, with);
          constexpr unsigned warps = combine_threads / 32;
          launch(combine_keys<reduce_type>,
                 {static_cast<unsigned>((keys_ + warps - 1) / warps), combine_threads, 0, on_.get()},
                 with.found, blocks, keys_, reduction_of(task_),
                 table(next->result.template as<void>(), keys_), totals::replace, stamped_result{});
        });
    next->done.record(on_);
    open_.push(std::move(next));
  }

  void finish_oldest() override {
    open_chunk& oldest = open_.front();
    oldest.done.wait();
    if (*bad_keys_.template as<volatile unsigned>() != 0)
      throw_key_out_of_range_on_gpu(typeid(Task).name(), keys_);
    // The copy has a stream of its own, so that it does not wait for later chunks.
    check(cudaMemcpyAsync(oldest.seen.data(), oldest.result.template as<void>(), table::bytes(keys_),
                          cudaMemcpyDeviceToHost, copies_.get()),
          "copying the results of a chunk");
    copies_.wait();
    const table seen(oldest.seen.data(), keys_);
    emit_run<value_type> run{oldest.part.source, oldest.part.offset, {}};
    for (std::uint64_t key = 0; key < keys_; ++key) {
      if (seen.present[key] == 0) continue;
      run.entries.push_back({compact_key::of_short(key_bytes(key)), seen.values[key]});
    }
    if (!run.entries.empty()) finished_.runs.push_back(std::move(run));
    open_.pop();
  }

  void commit() override {
    expects(open_.empty(), "an engine is committed when no chunk is open");
    host_.push_back(std::make_unique<ready_partial<Task>>(std::exchange(finished_, {})));
  }

  void forget() override { finished_ = {}; }

 private:
  struct open_chunk {
    open_chunk(std::uint64_t bytes, const stream& on) : result(bytes, on) {}

    chunk part;
    device_buffer result;
    std::vector<uint4> seen;
    event done;
  };

  // The limit for the values of all blocks, unless the options set a smaller one.
  static constexpr std::uint64_t most_found_bytes = std::uint64_t{256} << 20;

  template <bool In>
  void place(const backend_options& options) {
    const device_limits has = device_limits::current();
    const std::uint64_t available =
        has.shared_per_block - std::min(has.shared_per_block, storage_bytes<format>);
    const std::uint64_t cell = mapper_cells<value_type>::bytes(1, 1);
    const std::uint64_t limit = options.table_bytes > 0 ? options.table_bytes : most_found_bytes;
    const auto placed = place_ordered(keys_, cell, sizeof(value_type) + 1, block_threads, available,
                                      has.multiprocessors, limit);
    mappers_ = placed.mappers;
    shared_bytes_ = storage_bytes<format> + (mappers_ > 1 ? cell * keys_ * mappers_ : 0);
    const unsigned at_once = blocks_at_once(map_in_order<Task, In>, block_threads, shared_bytes_, has);
    blocks_ = place_ordered(keys_, cell, sizeof(value_type) + 1, block_threads, available,
                            std::uint64_t{has.multiprocessors} * at_once, limit)
                  .blocks;
  }

  Task task_;
  const stream& on_;
  stream copies_;
  host_partials<Task>& host_;
  std::optional<host_arrays<Task>> on_host_;
  std::uint64_t keys_;
  pinned_buffer bad_keys_;
  unsigned mappers_ = 1;
  std::uint64_t shared_bytes_ = 0;
  std::uint64_t blocks_ = 1;
  device_buffer found_;
  recycling_queue<open_chunk> open_;
  collected_partial<value_type> finished_;
};

template <dense_task Task>
  requires order_matters<Task>
struct engine_maker<engine_kind::dense, Task> {
  static constexpr bool is_included = true;
  [[nodiscard]] static std::unique_ptr<engine> make(const Task& task, const backend_options& options,
                                                    const engine_surroundings& with,
                                                    host_partials<Task>& host) {
    return std::make_unique<ordered_engine<Task>>(task, options, with.compute, host);
  }
};

}  // namespace duomap::gpu
