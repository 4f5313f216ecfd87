// The partial of a task that keeps its emits, or whose reduction does not commute: the emits of each chunk,
// in order.
// host only
#pragma once

#include "core/combining_table.hpp"
#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"
#include "core/memory_reservation.hpp"
#include "core/partial/keyed.hpp"
#include "core/untouched_allocator.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

/// The type in which a value is kept: bytes of any length like a key, other values as they are.
template <class V>
using stored_value = std::conditional_t<std::is_same_v<V, byte_view>, compact_key, V>;

/// A list of emits in order. Several threads can fill its memory.
template <class V>
using emit_list =
    std::vector<keyed_entry<stored_value<V>>, untouched_allocator<keyed_entry<stored_value<V>>>>;

/// The emits of one chunk, in order, with the chunk's place.
template <class V>
struct emit_run {
  std::uint32_t source;
  std::uint64_t offset;
  emit_list<V> entries;
};

/// The emits of a run, sorted by the partitions of their keys. Within a partition they keep their order.
template <class V>
class partitioned_run {
 public:
  using entry = keyed_entry<V>;
  using entries = std::vector<entry, untouched_allocator<entry>>;

  [[nodiscard]] std::span<const entry> of(unsigned partition) const {
    return {entries_.data() + begins_[partition], begins_[partition + 1] - begins_[partition]};
  }

  /// Makes a partitioned run of each element of `from`. The workers share the counting of a run, because one
  /// run may have all keys. Most runs are in the order of partitions already: these are not copied. Copies
  /// take their memory from `memory`.
  [[nodiscard]] static std::vector<partitioned_run> all_of(std::vector<entries> from, worker_pool& pool,
                                                           const shared_budget& memory = nullptr) {
    std::vector<partitioned_run> runs(from.size());
    std::vector<block> blocks;
    for (std::size_t run = 0; run < from.size(); ++run) {
      runs[run].entries_ = std::move(from[run]);
      const std::span<const entry> all(runs[run].entries_);
      for (std::size_t at = 0; at < all.size(); at += block_entries)
        blocks.push_back({.run = run, .part = all.subspan(at, std::min(block_entries, all.size() - at))});
    }
    pool.for_each_index(blocks.size(), [&](std::uint64_t i) { blocks[i].count(); });
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      partitioned_run& run = runs[blocks[i].run];
      const bool is_first = i == 0 || blocks[i - 1].run != blocks[i].run;
      run.is_ordered_ =
          run.is_ordered_ && blocks[i].is_ordered && (is_first || blocks[i - 1].last <= blocks[i].first);
      for (unsigned p = 0; p < partition_count; ++p) run.begins_[p + 1] += blocks[i].counts[p];
    }
    pool.for_each_index(runs.size(), [&](std::uint64_t i) { runs[i].place(memory); });
    return runs;
  }

 private:
  static constexpr std::size_t block_entries = std::size_t{1} << 15;  // a block takes 0.1 ms to count

  struct block {
    std::size_t run = 0;
    std::span<const entry> part;
    std::array<std::uint32_t, partition_count> counts = {};
    unsigned first = 0;  // partition of the first entry; `last`: of the last entry
    unsigned last = 0;
    bool is_ordered = true;

    void count() {
      first = last = partition_of(part.front().key.hash());
      for (const entry& one : part) {
        const unsigned partition = partition_of(one.key.hash());
        is_ordered = is_ordered && partition >= last;
        last = partition;
        ++counts[partition];
      }
    }
  };

  /// Sorts the entries by partition. Before, begins_[p + 1] is the number of entries of partition p.
  void place(const shared_budget& memory) {
    for (unsigned p = 0; p < partition_count; ++p) begins_[p + 1] += begins_[p];
    if (is_ordered_) return;
    memory_reservation copy(memory);
    copy.take(entries_.size() * sizeof(entry), "rows by partition");
    entries placed(entries_.size());
    auto next = begins_;
    for (const entry& one : entries_) placed[next[partition_of(one.key.hash())]++] = one;
    entries_ = std::move(placed);
  }

  entries entries_;
  std::array<std::uint64_t, partition_count + 1> begins_{};
  bool is_ordered_ = true;
};

/// Runs of emits, in any order. Each run has its place in the input. Under collect each emit is an entry.
/// Under a reduction that does not commute, an entry has the reduced emits of one key of its chunk.
template <class V>
struct collected_partial {
  std::vector<emit_run<V>> runs;
  std::vector<std::shared_ptr<const key_arena>> arenas;
  /// The bytes that `runs` has taken from the memory budget.
  memory_reservation held = memory_reservation();

  /// Call it before a run grows.
  /// @throws memory_exceeded
  void take(std::uint64_t entries) {
    held.take(entries * sizeof(keyed_entry<stored_value<V>>), "the rows that are collected");
  }

  /// Number of emits.
  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t emits = 0;
    for (const emit_run<V>& run : runs) emits += run.entries.size();
    return emits;
  }
};

/// Puts the runs of several workers or backends together, in the order of the input.
template <class Task, class V>
[[nodiscard]] collected_partial<V> merge_partials(std::vector<collected_partial<V>> partials,
                                                  const Task& /*task*/, worker_pool& /*pool*/) {
  collected_partial<V> merged;
  for (auto& partial : partials) {
    if (!merged.held.of()) merged.held = memory_reservation(partial.held.of());
    merged.held.add(std::move(partial.held));
    std::move(partial.runs.begin(), partial.runs.end(), std::back_inserter(merged.runs));
    merged.arenas.insert(merged.arenas.end(), partial.arenas.begin(), partial.arenas.end());
  }
  std::sort(merged.runs.begin(), merged.runs.end(), [](const emit_run<V>& a, const emit_run<V>& b) {
    return a.source != b.source ? a.source < b.source : a.offset < b.offset;
  });
  return merged;
}

/// Moves the entries out of the runs.
template <class V>
[[nodiscard]] std::vector<emit_list<V>> entries_of(std::vector<emit_run<V>> runs) {
  std::vector<emit_list<V>> all;
  all.reserve(runs.size());
  for (emit_run<V>& run : runs) all.push_back(std::move(run.entries));
  return all;
}

/// Reduces the runs from merge_partials() to a keyed partial. The values of each key are reduced in the order
/// of the input, and partitions in parallel.
template <class V, class Reduce>
[[nodiscard]] keyed_partial<V> fold_in_order(collected_partial<V> ordered, const Reduce& reduce,
                                             worker_pool& pool) {
  const shared_budget& memory = ordered.held.of();
  const auto runs = partitioned_run<V>::all_of(entries_of(std::move(ordered.runs)), pool, memory);
  keyed_partial<V> folded;
  folded.held = memory_reservation(memory);
  folded.arenas = std::move(ordered.arenas);
  std::vector<combining_table<V, partition_bits>> tables;
  for (unsigned worker = 0; worker < pool.workers(); ++worker) tables.emplace_back(0, memory);
  pool.share_indices(partition_count, [&](unsigned worker, std::uint64_t partition) {
    auto& into = folded.partitions[partition];
    if (runs.size() == 1) {  // the keys of a run are distinct, so nothing is reduced
      const auto entries = runs[0].of(static_cast<unsigned>(partition));
      folded.take(entries.size());
      into.assign(entries.begin(), entries.end());
      return;
    }
    auto& table = tables[worker];
    for (const auto& run : runs) {
      for (const auto& entry : run.of(static_cast<unsigned>(partition)))
        table.reduce_stored(entry.key, entry.value, reduce);
    }
    folded.take(table.size());
    into.reserve(table.size());
    table.for_each([&](const auto& entry) { into.push_back(entry); });
    table.clear();
  });
  return folded;
}

}  // namespace duomap
