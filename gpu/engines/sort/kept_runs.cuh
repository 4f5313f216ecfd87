// Merges the reduced keys of several chunks in device memory, so that the link carries them and the host
// merges them once instead of once for each chunk.
#pragma once

#include "core/chunk.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/sort/emit_write.cuh"
#include "gpu/engines/sort/grouped_emits.cuh"
#include "gpu/engines/sort/piece_memory.cuh"
#include "gpu/engines/sort/segments.cuh"
#include "gpu/engines/sort/sort_keys.cuh"
#include "gpu/engines/to_host.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/error.hpp"
#include "gpu/runtime/stream.cuh"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace duomap::gpu {

/// Keeps one run for each chunk, until the runs are merged to one. Runs with long keys are not kept, because
/// their bytes would have to stay too. If the order of the input matters, the runs are of adjacent chunks.
template <sort_task Task>
class kept_runs {
  using entry = emit_entry<Task>;

 public:
  /// `most_bytes`: device memory for the runs. `order`: the sort order of the entries.
  kept_runs(std::uint64_t most_bytes, const sort_order& order)
    : most_(most_bytes / sizeof(entry)), order_(order) {}

  /// Whether a run of `keys` keys should be kept. A large run should not, because only few large runs fit
  /// into the memory for a merge. No run should after a merge has shown that chunks share few keys.
  [[nodiscard]] bool takes(std::uint32_t keys) const {
    return shares_keys_ && keys <= most_ / 4 && count_ + keys <= most_;
  }

  /// Whether the run of a chunk may be merged with the kept runs.
  [[nodiscard]] bool is_next(const chunk& from) const {
    if (!order_matters<Task> || runs_.empty()) return true;
    return from.source == runs_.back().source && from.offset == end_;
  }

  /// Returns memory for a run of `keys` keys.
  /// @throws device_out_of_memory
  [[nodiscard]] entry* room(std::uint32_t keys, const stream& on) {
    const std::uint64_t needed = count_ + keys;
    if (needed * sizeof(entry) > memory_.size()) {
      device_buffer larger(std::min(4 * needed, most_) * sizeof(entry), on);
      copy(larger.as<entry>(), entries(), count_, on);
      memory_ = std::move(larger);
    }
    return entries() + count_;
  }

  /// Keeps the keys that were written to room() as the run of a chunk.
  void add(const chunk& from, std::uint32_t keys) {
    runs_.push_back({from.source, from.offset, count_});
    count_ += keys;
    end_ = from.offset + from.size;
  }

  [[nodiscard]] bool is_full() const { return !takes(static_cast<std::uint32_t>(most_ / 4)); }
  [[nodiscard]] bool has_several() const { return runs_.size() > 1; }

  /// Merges all runs to one. Returns false if the device lacks the memory; the runs are then unchanged.
  [[nodiscard]] bool merge(const Task& task, piece_arrays& memory, const stream& on) {
    try {
      merge_all(task, memory, on);
      return true;
    } catch (const device_out_of_memory&) {
      return false;
    }
  }

  /// Queues copies of all runs to the host and keeps none of them. The copies are done when host.wait() has
  /// returned.
  void bring(collected_partial<typename Task::reduce::value_type>& to, to_host& host, const stream& on) {
    while (!runs_.empty()) {
      const run& last = runs_.back();
      to.runs.push_back({last.source, last.offset, {}});
      auto& on_host = to.runs.back().entries;
      on_host.resize(count_ - last.begin);
      host.copy(on_host.data(), entries() + last.begin, on_host.size() * sizeof(entry), on);
      count_ = last.begin;
      runs_.pop_back();
    }
  }

  void forget() {
    runs_.clear();
    count_ = 0;
  }

  /// Frees the memory. Call it when no run is kept.
  void release() { memory_ = {}; }

 private:
  struct run {
    std::uint32_t source;
    std::uint64_t offset;
    std::uint32_t begin;  // the index of the run's first entry
  };

  void merge_all(const Task& task, piece_arrays& memory, const stream& on) {
    sort_arrays pairs{};
    for (unsigned i = 0; i < 2; ++i) {
      pairs.keys[i] = memory.sort_keys[i].get<std::uint32_t>(count_, on);
      pairs.values[i] = memory.order[i].get<std::uint32_t>(count_, on);
    }
    const strided_keys keys{reinterpret_cast<const char*>(entries()), sizeof(entry)};
    write_sort_keys(keys, count_, order_, pairs.keys[0], pairs.values[0], on);
    auto groups = group_by_key<Task>(
        pairs, order_.bits,
        {.count = count_, .emits = keys, .has_keys = true, .value_offset = offsetof(entry, value)}, memory,
        on);
    auto* const merged = memory.reduced.get<entry>(groups.segments, on);
    reduce_groups(groups, task, merged, memory, on);
    copy(entries(), merged, groups.segments, on);
    shares_keys_ = groups.segments <= count_ / 2;
    count_ = groups.segments;
    runs_.resize(1);
  }

  [[nodiscard]] entry* entries() const { return memory_.template as<entry>(); }

  static void copy(entry* to, const entry* from, std::uint64_t count, const stream& on) {
    if (count == 0) return;
    check(cudaMemcpyAsync(to, from, count * sizeof(entry), cudaMemcpyDeviceToDevice, on.get()),
          "moving reduced keys on the device");
  }

  std::uint64_t most_;  // the number of entries that the memory may hold
  sort_order order_;
  device_buffer memory_;
  std::vector<run> runs_;  // in the order in which they were added
  std::uint32_t count_ = 0;
  std::uint64_t end_ = 0;  // the end of the last run's chunk
  bool shares_keys_ = true;
};

}  // namespace duomap::gpu
