// Finds keys in a result.
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/partial/keyed.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap {

/// An index of a keyed_partial. The first search in a partition sorts pointers to its entries, 8 bytes each;
/// each search is then a binary search. Several threads may search at once. The partial may be moved, because
/// its entries keep their addresses: move its index with it. A copy of an index is empty.
template <class V>
class key_index {
 public:
  using entry = keyed_entry<V>;

  key_index() = default;
  key_index(const key_index&) : key_index() {}
  key_index(key_index&&) noexcept = default;
  key_index& operator=(const key_index&) {
    parts_ = std::make_unique<parts>();
    return *this;
  }
  key_index& operator=(key_index&&) noexcept = default;
  ~key_index() = default;

  /// Finds the entry of a key; null if there is none. `all` must be the same partial in all calls.
  /// @throws memory_exceeded when the pointers need more memory than the run may take
  [[nodiscard]] const entry* find(const keyed_partial<V>& all, byte_view key) const {
    const std::uint64_t hash = hash_of_key(key);
    const unsigned partition = partition_of(hash);
    const std::vector<const entry*>& sorted = sorted_entries(all, partition);
    const auto at = std::ranges::lower_bound(sorted, place{hash, key.text()}, {}, where);
    return at != sorted.end() && where(*at) == place{hash, key.text()} ? *at : nullptr;
  }

  /// Call it when entries of a partition have moved.
  void forget(unsigned partition) noexcept { parts_->is_sorted[partition] = false; }

 private:
  struct parts {
    std::mutex sorting;
    std::array<std::atomic<bool>, partition_count> is_sorted = {};
    std::array<std::vector<const entry*>, partition_count> sorted;
  };
  using place = std::pair<std::uint64_t, std::string_view>;

  [[nodiscard]] static place where(const entry* one) { return {one->key.hash(), one->key.bytes().text()}; }

  [[nodiscard]] const std::vector<const entry*>& sorted_entries(const keyed_partial<V>& all,
                                                                unsigned partition) const {
    std::vector<const entry*>& sorted = parts_->sorted[partition];
    if (parts_->is_sorted[partition].load(std::memory_order_acquire)) return sorted;
    const std::lock_guard lock(parts_->sorting);
    if (parts_->is_sorted[partition].load(std::memory_order_relaxed)) return sorted;
    const std::vector<entry>& entries = all.partitions[partition];
    all.held.require(entries.size() * sizeof(entry*), "the index of a result's keys");
    sorted.clear();
    sorted.reserve(entries.size());
    for (const entry& one : entries) sorted.push_back(&one);
    std::ranges::sort(sorted, {}, where);
    parts_->is_sorted[partition].store(true, std::memory_order_release);
    return sorted;
  }

  std::unique_ptr<parts> parts_ = std::make_unique<parts>();
};

}  // namespace duomap
