// Plans the map of a chunk with more keys than a block has room for: path, launch shapes and memory.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/task.hpp"
#include "gpu/engines/dense/block_cells.cuh"
#include "gpu/engines/dense/blocks.cuh"
#include "gpu/engines/dense/device_cells.cuh"
#include "gpu/engines/dense/key_kernels.cuh"
#include "gpu/engines/dense/many_keys/fold_kernel.cuh"
#include "gpu/engines/dense/many_keys/key_partition.hpp"
#include "gpu/engines/dense/many_keys/key_tiles.hpp"
#include "gpu/engines/dense/many_keys/partition_kernel.cuh"
#include "gpu/engines/dense/many_keys/range_kernel.cuh"
#include "gpu/engines/dense/tuning.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_limits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/memory_limit.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

/// Plans one chunk after the other, and keeps its device memory for the next chunk.
template <class Task>
class many_keys_plan {
  using format = typename Task::format;
  using reduce_type = typename Task::reduce;
  using value_type = typename reduce_type::value_type;
  using cells = block_cells<reduce_type>;
  using tiles_type = key_tiles<value_type>;

 public:
  /// `forced` is taken if possible. `on` must outlive this object.
  many_keys_plan(std::uint64_t keys, dense_path forced, const device_limits& has, const stream& on)
    : keys_(keys), forced_(forced), has_(has), on_(on) {}

  /// Decides how the chunk is mapped, and allocates the memory for that.
  template <bool InParameters>
  void make(const Task& task, const chunk& part) {
    path_ = choose(task, part);
    ranges_ = 1;
    tiles_ = {};
    if (path_ == dense_path::partitions && !make_tiles(task, part)) path_ = dense_path::device_cells;
    threads_ = threads_of_block<format>(records_of_block(format_of(task), part, has_));
    shared_bytes_ = storage_bytes<format>;
    if (path_ == dense_path::partitions) {
      if constexpr (partitions_keys<Task>) {
        threads_ = partition_threads;
        shared_bytes_ = partition_shared_bytes<Task>(tiles_.partition);
        const auto each = blocks_at_once(kernel<InParameters>(), threads_, shared_bytes_, has_);
        const std::uint64_t at_once = std::uint64_t{has_.multiprocessors} * each;
        // Even without a tile there is one block, which maps the records that do not fill a tile.
        blocks_ = static_cast<unsigned>(std::clamp<std::uint64_t>(tiles_.count, 1, at_once));
      }
      return;
    }
    if (path_ == dense_path::ranges) {
      ranges_ = static_cast<unsigned>((keys_ - 1) / most_in_block() + 1);
      threads_ = threads_of<format>;
      shared_bytes_ += cells::bytes((keys_ + ranges_ - 1) / ranges_, 1);
    }
    const std::uint64_t at_once =
        blocks_of_device<format>(kernel<InParameters>(), threads_, shared_bytes_, has_) / ranges_;
    blocks_ = static_cast<unsigned>(blocks_for(format_of(task), part, std::max<std::uint64_t>(at_once, 1)) *
                                    ranges_);
  }

  [[nodiscard]] unsigned ranges() const { return ranges_; }
  [[nodiscard]] const tiles_type& tiles() const { return tiles_; }
  [[nodiscard]] unsigned copies_log2() const { return counters_log2(tiles_.partition); }

  template <bool InParameters>
  [[nodiscard]] auto kernel() const -> void (*)(key_arguments<Task, InParameters>) {
    if constexpr (partitions_keys<Task>) {
      if (path_ == dense_path::partitions) return partition_by_key<Task, InParameters>;
    }
    if (path_ == dense_path::ranges) return map_by_range<Task, InParameters>;
    return map_into_device_cells<Task, InParameters>;
  }

  template <bool InParameters>
  void run(const key_arguments<Task, InParameters>& with) const {
    if constexpr (partitions_keys<Task>) {
      if (path_ == dense_path::partitions) return run_partitions(with);
    }
    launch(kernel<InParameters>(), {blocks_, threads_, shared_bytes_, on_.get()}, with);
  }

 private:
  /// Static shared memory of the kernels, beside the dynamic memory of a launch.
  static constexpr std::uint64_t static_bytes = 512;

  template <bool InParameters>
  void run_partitions(const key_arguments<Task, InParameters>& with) const {
    check(cudaMemsetAsync(tiles_.totals, 0, tiles_.partition.partitions() * sizeof(std::uint32_t), on_.get()),
          "clearing the totals of partitions");
    launch(kernel<InParameters>(), {blocks_, threads_, shared_bytes_, on_.get()}, with);
    launch(fold_partitions<reduce_type>,
           {has_.multiprocessors, fold_threads, cells::bytes(tiles_.partition.places(keys_), 1), on_.get()},
           tiles_, with.cells, with.reduce);
  }

  [[nodiscard]] std::uint64_t most_in_block() const {
    return most_keys_in_block(4 * cells::words, has_start_value<reduce_type>,
                              has_.shared_per_block - std::min(has_.shared_per_block, static_bytes));
  }

  [[nodiscard]] dense_path choose(const Task& task, const chunk& part) const {
    const std::uint64_t records = record_count(format_of(task), part);
    bool can_partition = false;
    if constexpr (partitions_keys<Task>) {
      const bool aligned =
          !unit_reader<Task>::reads_ahead || reinterpret_cast<std::uintptr_t>(part.data) % 16 == 0;
      // The number of emits in a partition is stored in 32 bits.
      can_partition = aligned && records < (std::uint64_t{1} << 32) / unit_emitter<Task>::most;
    }
    return choose_dense_path(keys_, records, most_in_block(), can_partition, forced_);
  }

  /// Allocates the tiles; returns false if there is no memory for them.
  [[nodiscard]] bool make_tiles(const Task& task, const chunk& part) {
    if constexpr (!partitions_keys<Task>) {
      return false;
    } else {
      tiles_.partition = choose_key_partition(keys_, most_in_block());
      tiles_.capacity = tile_emits<Task>;
      tiles_.count = record_count(format_of(task), part) / tile_records<Task>;
      const std::uint64_t total_bytes = tiles_.partition.partitions() * sizeof(std::uint32_t);
      const std::uint64_t start_bytes =
          (tiles_.count * (tiles_.partition.partitions() + 1) * sizeof(std::uint16_t) + 15) / 16 * 16;
      const std::uint64_t bytes =
          total_bytes + start_bytes + tiles_.count * tiles_type::bytes_of_tile(tiles_.capacity);
      if (!reserve(bytes)) return false;
      auto* const memory = memory_.as<unsigned char>();
      tiles_.totals = reinterpret_cast<std::uint32_t*>(memory);
      tiles_.starts = reinterpret_cast<std::uint16_t*>(memory + total_bytes);
      tiles_.data = memory + total_bytes + start_bytes;
      return true;
    }
  }

  [[nodiscard]] bool reserve(std::uint64_t bytes) {
    if (memory_.size() >= bytes) return true;
    memory_ = {};
    // The tiles take at most half of the memory; the other half is for the chunks.
    if (bytes > memory_limit(0) / 2) return false;
    try {
      memory_ = device_buffer(bytes, on_);
    } catch (const device_out_of_memory&) {
      return false;
    }
    return true;
  }

  std::uint64_t keys_;
  dense_path forced_;
  device_limits has_;
  const stream& on_;
  device_buffer memory_;  // the tiles
  dense_path path_ = dense_path::device_cells;
  unsigned ranges_ = 1;
  tiles_type tiles_;
  unsigned threads_ = 0;
  std::uint64_t shared_bytes_ = 0;
  unsigned blocks_ = 0;
};

}  // namespace duomap::gpu
