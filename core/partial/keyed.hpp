// The partial of hashed keys under a commutative reduction: partitions of (key, reduced value).
// host only
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace duomap {

/// Distinct keys with their values in the form that an executor found them in, each in the partition its hash
/// names. Read by several threads, each of them another partition.
template <class V>
class unread_entries {
 public:
  unread_entries() = default;
  unread_entries(const unread_entries&) = delete;
  unread_entries& operator=(const unread_entries&) = delete;
  virtual ~unread_entries() = default;

  /// Puts those of a partition behind what is there.
  virtual void read(unsigned partition, std::vector<keyed_entry<V>>& to) const = 0;
};

/// Distinct keys with their values, each in the partition its hash names (core/hash.hpp), so that partition p
/// of any number of partials can be merged without looking at any other.
template <class V>
struct keyed_partial {
  std::array<std::vector<keyed_entry<V>>, partition_count> partitions;
  /// Owners of the long keys' bytes; shared, because keys are never copied on the way to the result.
  std::vector<std::shared_ptr<const key_arena>> arenas;
  /// Until merge_partials(): more entries, of keys that may stand elsewhere in the partial, too.
  std::vector<std::shared_ptr<const unread_entries<V>>> unread;

  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t keys = 0;
    for (const auto& entries : partitions) keys += entries.size();
    return keys;
  }
};

}  // namespace duomap
