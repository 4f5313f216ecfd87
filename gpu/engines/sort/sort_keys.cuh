// The sort keys of the sort engine: the top bits of the masked hash, or the dense key itself.
#pragma once

#include "core/compact_key.hpp"
#include "gpu/engines/sort/strided_keys.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The way in which keys become sort keys, and the number of bits that are sorted, which tell most keys
/// apart.
struct sort_order {
  bool is_hashed = false;
  std::uint64_t hash_mask = ~std::uint64_t{0};
  unsigned bits = 32;

  [[nodiscard]] DUOMAP_HD std::uint32_t of_hash(std::uint64_t hash) const {
    return static_cast<std::uint32_t>((hash & hash_mask) >> 32);
  }
};

/// Writes the sort keys of `count` short keys, and their indices to `order`.
void write_sort_keys(const strided_keys& keys, std::uint32_t count, const sort_order& by,
                     std::uint32_t* sort_keys, std::uint32_t* order, const stream& on);

}  // namespace duomap::gpu
