// How large the table in a device's memory is, and should be. host only
#pragma once

#include <array>
#include <cstdint>

namespace duomap::gpu {

/// Slots for keys, half of which are used, and bytes of the pool that long keys stand in.
struct table_extent {
  std::uint64_t slots = 0;
  std::uint64_t pool_bytes = 0;
  [[nodiscard]] constexpr std::uint64_t most_keys() const { return slots / 2; }
  [[nodiscard]] constexpr bool operator==(const table_extent&) const = default;
};

/// What is known when some tiles of a chunk were returned for lack of room.
struct table_shortage {
  std::uint64_t used_keys = 0;  ///< of the table as a whole
  std::uint64_t used_pool_bytes = 0;
  std::uint64_t tile_keys = 0;  ///< the most that a returned tile asked for
  std::uint64_t tile_pool_bytes = 0;
  std::uint64_t busy_warps = 0;  ///< at the start of a launch over a chunk of that size
  std::uint64_t left_warps = 0;  ///< for what is left of the chunk
};

/// `now`, doubled until that many tiles find room beside what is used.
[[nodiscard]] constexpr table_extent with_room_for(std::uint64_t tiles, table_extent now,
                                                   const table_shortage& of) {
  while (now.most_keys() < of.used_keys + tiles * of.tile_keys) now.slots *= 2;
  while (now.pool_bytes < of.used_pool_bytes + tiles * of.tile_pool_bytes) now.pool_bytes *= 2;
  return now;
}

/// What a table should become, the best first; memory may allow the last only. Warps reserve room for three
/// tiles at a time. With room for the last few tiles of a chunk it would end, and every one after it be short
/// again: tables that first chunks of 2 MiB had made stayed like that, and the thread of an H200 waited for
/// repeated launches in 44 to 81 % of a run of 12.6 GB, half of that awake.
[[nodiscard]] constexpr std::array<table_extent, 3> larger_tables(const table_extent& now,
                                                                  const table_shortage& of) {
  return {with_room_for(3 * of.busy_warps, now, of), with_room_for(3 * of.left_warps, now, of),
          with_room_for(1, now, of)};
}

}  // namespace duomap::gpu
