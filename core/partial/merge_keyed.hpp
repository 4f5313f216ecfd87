// Merges partials of hashed keys into one, partition by partition.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/partial/keyed.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace duomap {

/// Makes a partial: its partition p is merge(p). Several workers call merge(). The caller must add the
/// arenas. Takes the bytes of a partition from `memory` after the partition was made, because a partition is
/// small.
template <class V, class Merge>
[[nodiscard]] keyed_partial<V> merge_partitions(worker_pool& pool, const Merge& merge,
                                                shared_budget memory = nullptr) {
  keyed_partial<V> merged;
  merged.held = memory_reservation(std::move(memory));
  pool.for_each_index(partition_count, [&](std::uint64_t partition) {
    auto& into = merged.partitions[partition];
    into = merge(static_cast<unsigned>(partition));
    merged.take(into.size());
  });
  return merged;
}

/// Folds entries into the entries of a partition. Finds a key by a table of indices, which fits into a core's
/// nearest cache, as a table of entries would not. The hash function is public, so an attacker can make keys
/// that collide: if a key finds no place near its home, the partition is sorted instead. One thread uses it,
/// for one partition after another.
template <class V>
class partition_folder {
 public:
  using entries = std::vector<keyed_entry<V>>;

  /// Begins a partition. Its entries so far are in `into`, with distinct keys.
  void begin(entries& into) {
    into_ = &into;
    places_.clear();
  }

  /// Folds in more entries of the partition.
  template <class Reduce>
  void fold(std::span<const keyed_entry<V>> from, const Reduce& reduce) {
    if (!make_room(from.size())) return fold_sorted(from, reduce);
    for (std::size_t i = 0; i < from.size(); ++i) {
      std::uint32_t* const place = place_of(from[i].key);
      if (place == nullptr) [[unlikely]]
        return fold_sorted(from.subspan(i), reduce);
      if (*place == 0) {
        into_->push_back(from[i]);
        *place = static_cast<std::uint32_t>(into_->size());
      } else {
        V& held = (*into_)[*place - 1].value;
        held = V(reduce(held, from[i].value));
      }
    }
  }

 private:
  /// Enlarges the table for `more` keys, to stay at most half full. False if it would be too large.
  [[nodiscard]] bool make_room(std::uint64_t more) {
    const std::uint64_t most = into_->size() + more;
    if (most > std::numeric_limits<std::uint32_t>::max()) return false;
    if (2 * most <= places_.size()) return true;
    places_.assign(std::bit_ceil(std::max<std::uint64_t>(2 * most, 64)), 0);
    for (std::uint64_t i = 0; i < into_->size(); ++i) {
      std::uint32_t* const place = place_of((*into_)[i].key);
      if (place == nullptr) return false;
      *place = static_cast<std::uint32_t>(i + 1);
    }
    return true;
  }

  /// The place of a key, or a free place for it; null if there is none near the key's home.
  [[nodiscard]] std::uint32_t* place_of(const compact_key& key) {
    const std::uint64_t mask = places_.size() - 1;
    std::uint64_t at = (key.hash() << partition_bits) >> (64 - std::countr_zero(places_.size()));
    for (unsigned way = 0; way < max_probe_length; ++way, at = (at + 1) & mask) {
      std::uint32_t& place = places_[at];
      if (place == 0 || (*into_)[place - 1].key == key) return &place;
    }
    return nullptr;
  }

  template <class Reduce>
  void fold_sorted(std::span<const keyed_entry<V>> from, const Reduce& reduce) {
    places_.clear();
    into_->insert(into_->end(), from.begin(), from.end());
    std::ranges::sort(*into_, [](const auto& a, const auto& b) {
      const std::uint64_t hash = a.key.hash();
      const std::uint64_t other = b.key.hash();
      return hash != other ? hash < other : a.key.bytes().text() < b.key.bytes().text();
    });
    auto last = into_->begin();
    for (auto next = last + 1; next < into_->end(); ++next) {
      if (next->key == last->key) {
        last->value = V(reduce(last->value, next->value));
      } else {
        *++last = *next;
      }
    }
    into_->erase(last + 1, into_->end());
  }

  entries* into_ = nullptr;
  std::vector<std::uint32_t> places_;  // indices in into_, plus 1; 0 is a free place
};

/// Merges partials of several backends, with their unread entries.
template <class Task, class V>
[[nodiscard]] keyed_partial<V> merge_partials(std::vector<keyed_partial<V>> partials, const Task& task,
                                              worker_pool& pool) {
  keyed_partial<V> merged = std::move(partials.front());
  const std::span others(partials.begin() + 1, partials.end());
  for (keyed_partial<V>& one : others) {
    merged.arenas.insert(merged.arenas.end(), one.arenas.begin(), one.arenas.end());
    merged.unread.insert(merged.unread.end(), one.unread.begin(), one.unread.end());
    if (!merged.held.of()) merged.held = memory_reservation(one.held.of());
  }
  const auto unread = std::exchange(merged.unread, {});
  if (others.empty() && unread.empty()) return merged;
  // Each worker keeps this memory from partition to partition. The first entries of a partition are not
  // copied. In both cases fresh memory would cost more time than the work in it.
  struct alignas(cache_separation) worker_memory {
    std::vector<keyed_entry<V>> read;
    partition_folder<V> folder;
  };
  std::vector<worker_memory> memory(pool.workers());
  const auto reduce = reduction_of(task);
  pool.share_indices(partition_count, [&](unsigned worker, std::uint64_t partition) {
    worker_memory& mine = memory[worker];
    auto& into = merged.partitions[partition];
    const std::uint64_t before = into.size();
    mine.folder.begin(into);
    const auto fold = [&](std::vector<keyed_entry<V>>& from) {
      into.empty() ? into.swap(from) : mine.folder.fold(from, reduce);
    };
    for (keyed_partial<V>& one : others) fold(one.partitions[partition]);
    for (const auto& one : unread) {
      mine.read.clear();
      one->read(static_cast<unsigned>(partition), mine.read);
      fold(mine.read);
    }
    // Counted twice, because a growing list leaves holes in the allocator's memory: with 600,000 keys of two
    // stored partials, the lists took 22 MB and the process 45 MB.
    merged.take(2 * (into.size() - before));
  });
  return merged;
}

}  // namespace duomap
