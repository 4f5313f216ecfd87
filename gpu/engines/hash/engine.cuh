// Runs tasks with hashed keys: the hash engine has hash tables in shared memory, and one in device memory
// behind them (Chen & Agrawal, HPDC 2012). Unlike in the paper, no emit is made twice: a tile is begun only
// if there is room for its emits.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/hash/maker.hpp"
#include "gpu/engines/hash/map_kernel.cuh"
#include "gpu/engines/hash/open_chunk.cuh"
#include "gpu/engines/hash/table_extent.hpp"
#include "gpu/engines/hash/table_memory.cuh"
#include "gpu/engines/hash/tuning.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/engines/ready_partial.hpp"
#include "gpu/options.hpp"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/memory_limit.cuh"
#include "gpu/runtime/recycling_queue.hpp"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>

namespace duomap::gpu {

/// The engine. gpu/engines/engine.hpp describes the functions. commit() adds the results to a list of host
/// partials that outlives the engine.
template <hash_task Task>
class hash_engine final : public engine {
  using reduce_type = typename Task::reduce;
  using tile = warp_tile<typename Task::format>;
  using table = table_memory<reduce_type>;
  static constexpr std::uint64_t slot_bytes = block_table<reduce_type>::slot_bytes;

 public:
  /// Works on the calling thread's current device. `on` and `host` must outlive the engine.
  hash_engine(const Task& task, const backend_options& options, const stream& on, host_partials<Task>& host)
    : task_(task), options_(options), on_(on), host_(host) {
    const auto has = device_limits::current();
    tuning_ = choose_tuning({has.shared_per_multiprocessor, has.shared_per_block}, sizeof(block_memory),
                            sizeof(warp_memory<Task>), slot_bytes);
    tables_ = std::min(options.block_tables.value_or(1), tuning_.warps);
    tuning_.table_slots = tables_ == 0 ? 0 : tuning_.table_slots / tables_ / 4 * 4;
    if (options.block_slots > 0 && tables_ > 0) tuning_.table_slots = options.block_slots;
    if (options.blocks_per_multiprocessor > 0)
      tuning_.blocks_per_multiprocessor = options.blocks_per_multiprocessor;
    blocks_ = std::uint64_t{has.multiprocessors} * tuning_.blocks_per_multiprocessor;
    shared_bytes_ = sizeof(block_memory) + tuning_.warps * sizeof(warp_memory<Task>) +
                    std::uint64_t{tables_} * tuning_.table_slots * slot_bytes;
    allow_all_shared_memory(map_and_reduce<Task>, has);
  }

  ~hash_engine() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::hash; }

  void enqueue(const chunk& resident) override {
    const std::uint64_t tiles = tile::tiles(resident, format_of(task_));
    if (!table_)
      table_.emplace(first_extent(std::min(warps(), tiles)), reduction_of(task_), options_.hash_mask, on_);
    auto next = open_.spare(warps(), on_);
    next->begin(resident, tiles, can_defer_keys<Task> ? tiles : 0, on_);
    launch_on(*next);
    open_.push(std::move(next));
  }

  void finish_oldest() override {
    open_chunk& oldest = open_.front();
    oldest.wait();
    while (!is_complete(oldest)) {
      on_.wait();  // later chunks use the table too, so it may move only after them
      make_room(oldest);
      launch_on(oldest);
      oldest.wait();
    }
    figures_.past_block_tables += oldest.progress().past_tables;
    open_.pop();
  }

  [[nodiscard]] engine_figures figures() const override { return figures_; }

  void commit() override {
    expects(open_.empty(), "an engine is committed when no chunk is open");
    if (table_) hand_over();
  }

  void forget() override {
    if (table_) table_->clear();
  }

 private:
  // The smallest table and pool (4 KiB), so that tests can make a table grow often.
  static constexpr std::uint64_t smallest_slots = 64;
  static constexpr std::uint64_t smallest_pool = 4096;

  [[nodiscard]] table_extent first_extent(std::uint64_t busy_warps) {
    limit_ = memory_limit(options_.table_bytes);
    // Every busy warp reserves room for three tiles at a time. The table has the same room again for keys.
    const std::uint64_t tile_keys = tile_bytes / 8;
    const std::uint64_t keys = options_.first_keys > 0 ? options_.first_keys : 2 * 3 * busy_warps * tile_keys;
    const std::uint64_t pool_per_warp = 2 * 3 * std::uint64_t{4} * tile_bytes;
    table_extent first{std::max(std::bit_ceil(2 * keys), smallest_slots),
                       options_.first_keys > 0 ? std::max(std::bit_ceil(32 * keys), smallest_pool)
                                               : std::bit_ceil(busy_warps * pool_per_warp)};
    while (table::bytes_of(first) > limit_ &&
           (first.slots > smallest_slots || first.pool_bytes > smallest_pool)) {
      if (first.slots > smallest_slots &&
          (first.slots * table::slot_bytes >= first.pool_bytes || first.pool_bytes <= smallest_pool)) {
        first.slots /= 2;
      } else {
        first.pool_bytes /= 2;
      }
    }
    return first;
  }

  void launch_on(open_chunk& one) {
    // tiles_left() comes first, because begin_launch() resets the number of returned runs.
    const std::uint64_t left = one.tiles_left();
    const tile_queue queue = one.begin_launch(on_);
    const map_arguments<Task> arguments{task_,      format_of(task_),   reduction_of(task_),
                                        one.part(), table_->view(),     queue,
                                        tables_,    tuning_.table_slots};
    launch(map_and_reduce<Task>,
           {static_cast<unsigned>(std::min(blocks_, left)), 32 * tuning_.warps, shared_bytes_, on_.get()},
           arguments);
    one.end_launch(on_);
  }

  [[nodiscard]] bool is_complete(const open_chunk& one) const {
    if (one.progress().broken_promise != 0) throw_broken_promise(typeid(Task).name(), max_emits_of<Task>);
    return one.is_complete();
  }

  /// Makes room in the table for the rest of the chunk: enlarges the table, or hands its contents to the
  /// host.
  void make_room(const open_chunk& one) {
    const std::uint64_t keys = one.progress().needed_keys;
    const std::uint64_t pool_bytes = one.progress().needed_pool_bytes;
    const table_counters used = table_->counters();
    const table_extent now = table_->size();
    table_extent wanted = now;
    for (const table_extent& size : larger_tables(now, {.used_keys = used.reserved_keys,
                                                       .used_pool_bytes = used.reserved_pool_bytes,
                                                       .tile_keys = keys,
                                                       .tile_pool_bytes = pool_bytes,
                                                       .busy_warps = std::min(warps(), one.tiles()),
                                                       .left_warps = std::min(warps(), one.tiles_left())})) {
      wanted = size;
      if (table::bytes_of(wanted) <= limit_ && try_grow(wanted)) return;
    }
    if (used.reserved_keys > 0) {
      hand_over();
      if (keys <= now.most_keys() && pool_bytes <= now.pool_bytes) return;
      make_room(one);
      return;
    }
    throw out_of_memory("the keys of " + std::to_string(tile_bytes / 1024) +
                        " KiB of input need a table of " + std::to_string(table::bytes_of(wanted)) +
                        " bytes on the GPU, and it may have " + std::to_string(limit_) +
                        "; run on the CPU (--device cpu)");
  }

  /// The number of warps in a launch over a large chunk.
  [[nodiscard]] std::uint64_t warps() const { return blocks_ * tuning_.warps; }

  /// Resizes the table to `wanted`, and returns whether it has that size now. Too little device memory is no
  /// error, because the table's contents can go to the host.
  [[nodiscard]] bool try_grow(const table_extent& wanted) {
    if (wanted.slots == table_->size().slots && wanted.pool_bytes == table_->size().pool_bytes) return true;
    try {
      table_->grow(wanted);
      return true;
    } catch (const device_out_of_memory&) {
      return false;
    }
  }

  void hand_over() {
    auto all = table_->contents({options_.feed.cores.begin(), options_.feed.cores.end()});
    if (all.entries.size() == 0) return;
    host_.push_back(std::make_unique<ready_partial<Task>>(
        make_partial<typename reduce_type::value_type>(std::move(all))));
    table_->clear();
  }

  Task task_;
  backend_options options_;
  const stream& on_;
  host_partials<Task>& host_;
  tuning tuning_;
  unsigned tables_ = 1;  // block tables, of tuning_.table_slots slots each
  std::uint64_t blocks_ = 0;
  std::uint64_t shared_bytes_ = 0;
  std::uint64_t limit_ = 0;
  std::optional<table> table_;
  recycling_queue<open_chunk> open_;
  engine_figures figures_;
};

template <hash_task Task>
std::unique_ptr<engine> make_hash_engine(const Task& task, const backend_options& options, const stream& on,
                                         host_partials<Task>& host) {
  return std::make_unique<hash_engine<Task>>(task, options, on, host);
}

}  // namespace duomap::gpu
