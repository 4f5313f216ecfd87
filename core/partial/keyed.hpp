// The partial of hashed keys under a commutative reduction: partitions of (key, reduced value).
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"
#include "core/memory_reservation.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace duomap {

/// Distinct keys with their values, in a form of the executor, sorted into the partitions of their hashes.
/// Several threads may read different partitions at once.
template <class V>
class unread_entries {
 public:
  unread_entries() = default;
  unread_entries(const unread_entries&) = delete;
  unread_entries& operator=(const unread_entries&) = delete;
  virtual ~unread_entries() = default;

  /// Appends the entries of one partition to `to`.
  virtual void read(unsigned partition, std::vector<keyed_entry<V>>& to) const = 0;
};

/// Distinct keys with their values, sorted into the partitions of their hashes (core/hash.hpp). To merge
/// partition p of several partials, no other partition is needed.
template <class V>
struct keyed_partial {
  std::array<std::vector<keyed_entry<V>>, partition_count> partitions;
  /// The arenas of long keys. They are shared, because the result uses the same bytes and copies no key.
  std::vector<std::shared_ptr<const key_arena>> arenas;
  /// Entries that merge_partials() still has to read. Their keys may also be in `partitions`.
  std::vector<std::shared_ptr<const unread_entries<V>>> unread;
  /// The bytes that `partitions` has taken from the memory budget.
  memory_reservation held = memory_reservation();

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
