// The partial of hashed keys under a commutative reduction: partitions of (key, reduced value).
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"
#include "core/memory_share.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace duomap {

/// Distinct keys with their values in an executor's own form, each in the partition of its hash. Several
/// threads may read different partitions at once.
template <class V>
class unread_entries {
 public:
  unread_entries() = default;
  unread_entries(const unread_entries&) = delete;
  unread_entries& operator=(const unread_entries&) = delete;
  virtual ~unread_entries() = default;

  /// Appends the entries of a partition.
  virtual void read(unsigned partition, std::vector<keyed_entry<V>>& to) const = 0;
};

/// Distinct keys with their values, each in the partition of its hash (core/hash.hpp), so that partition p of
/// any number of partials can be merged without any other partition.
template <class V>
struct keyed_partial {
  std::array<std::vector<keyed_entry<V>>, partition_count> partitions;
  /// The owners of the bytes of long keys. They are shared, because keys are never copied on the way to the
  /// result.
  std::vector<std::shared_ptr<const key_arena>> arenas;
  /// More entries, until merge_partials() reads them. Their keys may stand elsewhere in the partial, too.
  std::vector<std::shared_ptr<const unread_entries<V>>> unread;
  /// The bytes that the partitions have taken from the run's memory budget.
  memory_share held = memory_share();

  /// Call it before a partition grows.
  /// @throws memory_exceeded
  void take(std::uint64_t entries) { held.take(entries * sizeof(keyed_entry<V>), "the rows of a result"); }

  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t keys = 0;
    for (const auto& entries : partitions) keys += entries.size();
    return keys;
  }
};

}  // namespace duomap
