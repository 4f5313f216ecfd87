// Divides dense keys into partitions, and chooses between partitions, ranges and device memory. host safe
#pragma once

#include "core/config.hpp"
#include "gpu/engines/dense/path.hpp"

#include <cstdint>

namespace duomap::gpu {

/// Partitions of equal size. Groups of eight keys stay together, so that a partition's accumulators are
/// written 32 bytes at a time. Neighbouring groups, and groups at a distance of any power of two, are in
/// different partitions, because frequent keys are often neighbours.
struct key_partition {
  unsigned bits = 0;  ///< 2^bits partitions

  [[nodiscard]] DUOMAP_HD constexpr unsigned partitions() const { return 1u << bits; }
  [[nodiscard]] DUOMAP_HD constexpr std::uint32_t partition_of(std::uint32_t key) const {
    const std::uint32_t group = key >> 3;
    return (group + (group >> bits)) & (partitions() - 1);
  }
  [[nodiscard]] DUOMAP_HD constexpr std::uint32_t place_of(std::uint32_t key) const {
    return key >> 3 >> bits << 3 | (key & 7);
  }
  [[nodiscard]] DUOMAP_HD constexpr std::uint32_t key_of(std::uint32_t partition, std::uint32_t place) const {
    const std::uint32_t row = place >> 3;
    return (row << bits | ((partition - row) & (partitions() - 1))) << 3 | (place & 7);
  }
  /// The number of places in each partition if there are `keys` keys. Some of the last places belong to no
  /// key.
  [[nodiscard]] DUOMAP_HD constexpr std::uint64_t places(std::uint64_t keys) const {
    return keys == 0 ? 0 : (((keys - 1) >> 3 >> bits) + 1) * 8;
  }
};

/// 32 to 512 partitions. With fewer, more lanes use the same counter; with more, a tile has only a few emits
/// of each partition.
inline constexpr unsigned least_key_partition_bits = 5;
inline constexpr unsigned most_key_partition_bits = 9;

/// The most places in a partition, because a place is stored in 16 bits.
inline constexpr std::uint64_t most_places = 1u << 16;

/// The fewest partitions whose keys fit into a block, which has room for `most_in_block` keys; 0 bits if that
/// takes too many partitions.
[[nodiscard]] constexpr key_partition choose_key_partition(std::uint64_t keys, std::uint64_t most_in_block) {
  const std::uint64_t most = most_in_block < most_places ? most_in_block : most_places;
  for (unsigned bits = least_key_partition_bits; bits <= most_key_partition_bits; ++bits) {
    if (key_partition{bits}.places(keys) <= most) return {bits};
  }
  return {};
}

/// The number of counters of a partition in a block, as a power of two. Neighbouring lanes use different
/// counters, because lanes wait for each other if they use the same counter.
[[nodiscard]] constexpr unsigned counters_log2(key_partition partition) {
  return partition.bits < 7 ? 7 - partition.bits : 0;
}

/// The most ranges with which reading the records once for each range is faster than partitions. For 2^28
/// pairs an H100 took 2.4 ms with partitions, and 2.5 with five ranges.
inline constexpr std::uint64_t most_ranges = 4;

/// The most ranges for tasks whose emits cannot be partitioned. With more ranges, accumulators in device
/// memory are faster.
inline constexpr std::uint64_t most_ranges_alone = 8;

/// With fewer records, emits go to device memory, because clearing and reading the blocks' tables would take
/// longer.
inline constexpr std::uint64_t least_records_for_blocks = 1u << 20;

/// Chooses the path. `most_in_block`: keys that fit into a block's accumulators. `forced` is taken if
/// possible.
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
