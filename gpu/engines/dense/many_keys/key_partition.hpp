// Which partition a dense key belongs to, and how many partitions and ranges there are. host safe
#pragma once

#include "core/config.hpp"
#include "gpu/engines/dense/path.hpp"

#include <cstdint>

namespace duomap::gpu {

/// Partitions of equal size. Keys stay together in groups of eight, so that accumulators of a partition are
/// written 32 bytes at a time; neighbouring groups, and groups at any distance that is a power of two, are in
/// different partitions: frequent keys are often neighbours.
struct key_partition {
  unsigned bits = 0;  ///< 2^bits partitions

  [[nodiscard]] DUOMAP_HD constexpr unsigned partitions() const { return 1u << bits; }
  [[nodiscard]] DUOMAP_HD constexpr std::uint32_t partition_of(std::uint32_t key) const {
    const std::uint32_t group = key >> 3;
    return (group + (group >> bits)) & (partitions() - 1);
  }
  /// The key's place among those of its partition.
  [[nodiscard]] DUOMAP_HD constexpr std::uint32_t place_of(std::uint32_t key) const {
    return key >> 3 >> bits << 3 | (key & 7);
  }
  [[nodiscard]] DUOMAP_HD constexpr std::uint32_t key_of(std::uint32_t partition, std::uint32_t place) const {
    const std::uint32_t row = place >> 3;
    return (row << bits | ((partition - row) & (partitions() - 1))) << 3 | (place & 7);
  }
  /// Places that each partition of `keys` keys has. Some of the last are of no key.
  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t places(std::uint64_t keys) const {
    return keys == 0 ? 0 : (((keys - 1) >> 3 >> bits) + 1) * 8;
  }
};

/// 32 to 512 partitions: fewer make lanes meet when they count, more make the runs of a partition short.
inline constexpr unsigned least_key_partition_bits = 5;
inline constexpr unsigned most_key_partition_bits = 9;

/// A place is 16 bits.
inline constexpr std::uint64_t most_places = 1u << 16;

/// As few partitions as a table for `most_in_block` keys, of a block, allows; 0 bits: there would be too
/// many.
[[nodiscard]] constexpr key_partition choose_key_partition(std::uint64_t keys, std::uint64_t most_in_block) {
  const std::uint64_t most = most_in_block < most_places ? most_in_block : most_places;
  for (unsigned bits = least_key_partition_bits; bits <= most_key_partition_bits; ++bits) {
    if (key_partition{bits}.places(keys) <= most) return {bits};
  }
  return {};
}

/// Counters of a partition in a block, as a power of two, one for each as many neighbouring lanes: lanes that
/// count in the same one wait for each other.
[[nodiscard]] constexpr unsigned counters_log2(key_partition partition) {
  return partition.bits < 7 ? 7 - partition.bits : 0;
}

/// Ranges of keys that are faster than partitions: each of them reads the records again, from the
/// second-level cache. Five took an H100 2.5 ms for 2^28 pairs, and partitions 2.4.
inline constexpr std::uint64_t most_ranges = 4;

/// Of tasks whose emits cannot be partitioned: accumulators in device memory take as long as so many ranges.
inline constexpr std::uint64_t most_ranges_alone = 8;

/// Fewer records than this go to device memory: it would take longer to clear and read the tables of blocks.
inline constexpr std::uint64_t least_records_for_blocks = 1u << 20;

/// `most_in_block`: keys that a block has accumulators for. `forced` is taken where it is possible.
[[nodiscard]] constexpr dense_path choose_dense_path(std::uint64_t keys, std::uint64_t records,
                                                     std::uint64_t most_in_block, bool can_partition,
                                                     dense_path forced) {
  if (keys == 0) return dense_path::device_cells;
  const std::uint64_t ranges = most_in_block == 0 ? ~std::uint64_t{0} : (keys - 1) / most_in_block + 1;
  const bool partitions = can_partition && choose_key_partition(keys, most_in_block).bits > 0;
  const bool few = records < least_records_for_blocks || records < keys / 2;
  if (forced == dense_path::ranges && ranges <= most_ranges_alone) return dense_path::ranges;
  if (forced == dense_path::partitions && partitions) return dense_path::partitions;
  if (forced != dense_path::automatic || few) return dense_path::device_cells;
  if (partitions && ranges > most_ranges) return dense_path::partitions;
  return ranges <= most_ranges_alone ? dense_path::ranges : dense_path::device_cells;
}

}  // namespace duomap::gpu
