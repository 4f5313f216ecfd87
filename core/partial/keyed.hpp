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

/// Distinct keys with their values, each in the partition its hash names (core/hash.hpp), so that partition p
/// of any number of partials can be merged without looking at any other. Keys of one partial are distinct.
template <class V>
struct keyed_partial {
  std::array<std::vector<keyed_entry<V>>, partition_count> partitions;
  /// Owners of the long keys' bytes; shared, because keys are never copied on the way to the result.
  std::vector<std::shared_ptr<const key_arena>> arenas;

  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t keys = 0;
    for (const auto& entries : partitions) keys += entries.size();
    return keys;
  }

  template <class Use>
  void for_each_in_partition(unsigned partition, Use&& use) const {
    for (const auto& entry : partitions[partition]) use(entry);
  }
};

}  // namespace duomap
