// The partial of tasks for which the order of the input matters: emits in runs, one run for each chunk.
// host only
#pragma once

#include "core/combining_table.hpp"
#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"
#include "core/partial/keyed.hpp"
#include "core/untouched_allocator.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap {

/// How a value is kept: bytes of any length like a key, everything else as it is.
template <class V>
using stored_value = std::conditional_t<std::is_same_v<V, byte_view>, compact_key, V>;

/// Emits in order, in memory that several threads can fill.
template <class V>
using emit_list =
    std::vector<keyed_entry<stored_value<V>>, untouched_allocator<keyed_entry<stored_value<V>>>>;

/// The emits of one chunk in order.
template <class V>
struct emit_run {
  std::uint32_t source;
  std::uint64_t offset;
  emit_list<V> entries;
};

/// The distinct keys of a run in the order of the partitions that their hashes name; those of one
/// partition in the order they had.
template <class V>
class partitioned_run {
 public:
  using entry = keyed_entry<V>;
  using entries = std::vector<entry, untouched_allocator<entry>>;

  /// Entries that come in that order, as most do, stay where they are.
  explicit partitioned_run(entries from) : entries_(std::move(from)) {
    std::array<std::uint64_t, partition_count> counts{};
    unsigned last = 0;
    bool is_ordered = true;
    for (const entry& one : entries_) {
      const unsigned partition = partition_of(one.key.hash());
      is_ordered = is_ordered && partition >= last;
      last = partition;
      ++counts[partition];
    }
    std::uint64_t before = 0;
    for (unsigned p = 0; p < partition_count; ++p) {
      begins_[p] = before;
      before += counts[p];
    }
    begins_[partition_count] = before;
    if (!is_ordered) scatter();
  }

  [[nodiscard]] std::span<const entry> of(unsigned partition) const {
    return {entries_.data() + begins_[partition], begins_[partition + 1] - begins_[partition]};
  }

 private:
  void scatter() {
    entries placed(entries_.size());
    auto next = begins_;
    for (const entry& one : entries_) placed[next[partition_of(one.key.hash())]++] = one;
    entries_ = std::move(placed);
  }

  entries entries_;
  std::array<std::uint64_t, partition_count + 1> begins_{};
};

/// Runs in any order; each knows its place in the input. For collect every emit is an entry, for a reduction
/// that does not commute the emits of equal keys within a chunk are reduced already.
template <class V>
struct collected_partial {
  std::vector<emit_run<V>> runs;
  std::vector<std::shared_ptr<const key_arena>> arenas;
};

/// Brings the runs of several workers or backends together, in input order.
template <class Task, class V>
[[nodiscard]] collected_partial<V> merge_partials(std::vector<collected_partial<V>> partials,
                                                  const Task& /*task*/, worker_pool& /*pool*/) {
  collected_partial<V> merged;
  for (auto& partial : partials) {
    std::move(partial.runs.begin(), partial.runs.end(), std::back_inserter(merged.runs));
    merged.arenas.insert(merged.arenas.end(), partial.arenas.begin(), partial.arenas.end());
  }
  std::sort(merged.runs.begin(), merged.runs.end(), [](const emit_run<V>& a, const emit_run<V>& b) {
    return a.source != b.source ? a.source < b.source : a.offset < b.offset;
  });
  return merged;
}

/// Folds runs that merge_partials() has ordered into a keyed partial, the values of each key from first to
/// last. Partitions in parallel.
template <class V, class Reduce>
[[nodiscard]] keyed_partial<V> fold_in_order(collected_partial<V> ordered, const Reduce& reduce,
                                             worker_pool& pool) {
  std::vector<std::optional<partitioned_run<V>>> runs(ordered.runs.size());
  pool.for_each_index(runs.size(),
                      [&](std::uint64_t i) { runs[i].emplace(std::move(ordered.runs[i].entries)); });
  keyed_partial<V> folded;
  folded.arenas = std::move(ordered.arenas);
  std::vector<combining_table<V, partition_bits>> tables(pool.workers());
  pool.share_indices(partition_count, [&](unsigned worker, std::uint64_t partition) {
    auto& into = folded.partitions[partition];
    if (runs.size() == 1) {  // of distinct keys
      const auto entries = runs[0]->of(static_cast<unsigned>(partition));
      into.assign(entries.begin(), entries.end());
      return;
    }
    auto& table = tables[worker];
    for (const auto& run : runs) {
      for (const auto& entry : run->of(static_cast<unsigned>(partition)))
        table.reduce_stored(entry.key, entry.value, reduce);
    }
    into.reserve(table.size());
    table.for_each([&](const auto& entry) { into.push_back(entry); });
    table.clear();
  });
  return folded;
}

}  // namespace duomap
