// The layout of emits that are sorted by partition within tiles. One kernel writes the tiles and the next one
// reads them. host safe
#pragma once

#include "core/config.hpp"
#include "gpu/engines/dense/many_keys/key_partition.hpp"

#include <cstdint>

namespace duomap::gpu {

/// A tile has its values, and then the 16-bit places of their keys; the emits of one partition lie side by
/// side. So a tile is written as one piece, and no partition can overflow, whatever the keys.
template <class V>
struct key_tiles {
  unsigned char* data = nullptr;
  std::uint16_t* starts = nullptr;  ///< for each tile: the start of each partition, and the end of the last
  std::uint32_t* totals = nullptr;  ///< emits of each partition
  std::uint64_t count = 0;
  std::uint32_t capacity = 0;  ///< emits that fit into a tile, a multiple of 16 and below 2^16
  key_partition partition;

  [[nodiscard]] static constexpr std::uint64_t bytes_of_tile(std::uint32_t capacity) {
    return std::uint64_t{capacity} * (sizeof(V) + sizeof(std::uint16_t));
  }
  [[nodiscard]] DUOMAP_HD V* values(std::uint64_t tile) const {
    return reinterpret_cast<V*>(data + tile * capacity * (sizeof(V) + sizeof(std::uint16_t)));
  }
  [[nodiscard]] DUOMAP_HD std::uint16_t* places(std::uint64_t tile) const {
    return reinterpret_cast<std::uint16_t*>(values(tile) + capacity);
  }
  [[nodiscard]] DUOMAP_HD std::uint16_t* starts_of(std::uint64_t tile) const {
    return starts + tile * (partition.partitions() + 1);
  }
};

}  // namespace duomap::gpu
