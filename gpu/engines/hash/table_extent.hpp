// The size of the table in a device's memory, and how it grows. host only
#pragma once

#include <array>
#include <cstdint>

namespace duomap::gpu {

/// Slots for keys, at most half of which are used, and bytes of the pool, which holds long keys.
struct table_extent {
  std::uint64_t slots = 0;
  std::uint64_t pool_bytes = 0;
  [[nodiscard]] constexpr std::uint64_t most_keys() const { return slots / 2; }
  [[nodiscard]] constexpr bool operator==(const table_extent&) const = default;
};

/// The facts known after a launch returned tiles of a chunk for lack of room.
struct table_shortage {
  std::uint64_t used_keys = 0;  ///< keys in the whole table
  std::uint64_t used_pool_bytes = 0;
  std::uint64_t tile_keys = 0;  ///< the most keys that a returned tile may add
  std::uint64_t tile_pool_bytes = 0;
  std::uint64_t busy_warps = 0;  ///< busy warps at the start of a launch over a whole chunk of this size
  std::uint64_t left_warps = 0;  ///< busy warps of a launch over the rest of the chunk
};

/// Returns `now`, doubled until it has room for `tiles` tiles beside the entries that are in use.
[[nodiscard]] constexpr table_extent with_room_for(std::uint64_t tiles, table_extent now,
                                                   const table_shortage& of) {
  while (now.most_keys() < of.used_keys + tiles * of.tile_keys) now.slots *= 2;
  while (now.pool_bytes < of.used_pool_bytes + tiles * of.tile_pool_bytes) now.pool_bytes *= 2;
  return now;
}

/// The sizes that a table should try, the best first; memory may allow only the last. Warps reserve room for
/// three tiles at a time. A table with room for just the last few tiles of a chunk completes this chunk, but
/// every later chunk lacks room again. Tables sized by first chunks of 2 MiB stayed small: an H200's thread
/// waited for repeated launches during 44 to 81 % of a run of 12.6 GB.
[[nodiscard]] constexpr std::array<table_extent, 3> larger_tables(const table_extent& now,
                                                                  const table_shortage& of) {
  return {with_room_for(3 * of.busy_warps, now, of), with_room_for(3 * of.left_warps, now, of),
          with_room_for(1, now, of)};
}

}  // namespace duomap::gpu
