// Tests that a table grows once for all warps of a chunk, not a little for each chunk.
#include "gpu/engines/hash/table_extent.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>

namespace duomap::test::gpu_engines_hash_table_extent_test {

namespace {

constexpr std::uint64_t warps = 4224;       // warps of an H200
constexpr std::uint64_t tile_keys = 350;    // different keys in a tile of English text
constexpr std::uint64_t tile_pool = 2'000;  // bytes of a tile's long keys

// All warps of a chunk reserve room for three tiles. Returns the number of tiles for which there is no room.
std::uint64_t tiles_returned(const gpu::table_extent& table, std::uint64_t used, std::uint64_t tiles) {
  const std::uint64_t busy = std::min(warps, tiles);
  const std::uint64_t fit = (table.most_keys() - used) / (3 * tile_keys);
  return busy - std::min(busy, fit);
}

}  // namespace

TEST_CASE("a table that a small chunk has made grows once for large ones", "[gpu][table_extent]") {
  gpu::table_extent table{.slots = std::uint64_t{1} << 18, .pool_bytes = std::uint64_t{8} << 20};
  const std::uint64_t used = 58'000;
  unsigned shortages = 0;
  for (unsigned chunk = 0; chunk < 200; ++chunk) {
    const std::uint64_t tiles = chunk < 10 ? 40 : 32'000;
    const std::uint64_t left = tiles_returned(table, used, tiles);
    if (left == 0) continue;
    ++shortages;
    table = gpu::larger_tables(table, {.used_keys = used,
                                       .used_pool_bytes = 500'000,
                                       .tile_keys = tile_keys,
                                       .tile_pool_bytes = tile_pool,
                                       .busy_warps = std::min(warps, tiles),
                                       .left_warps = std::min(warps, left)})[0];
  }
  CHECK(shortages == 1);
  CHECK(table.pool_bytes >= 500'000 + 3 * warps * tile_pool);
  CHECK(table.slots <= std::uint64_t{1} << 24);  // at most twice the need
}

TEST_CASE("larger tables are tried from the largest to the one that holds a single tile",
          "[gpu][table_extent]") {
  const gpu::table_extent now{.slots = 1024, .pool_bytes = 4096};
  const auto sizes = gpu::larger_tables(now, {.used_keys = 500,
                                              .used_pool_bytes = 100,
                                              .tile_keys = 10,
                                              .tile_pool_bytes = 50,
                                              .busy_warps = 100,
                                              .left_warps = 2});
  CHECK(sizes[0] == gpu::table_extent{.slots = 8192, .pool_bytes = 16384});
  CHECK(sizes[1] == gpu::table_extent{.slots = 2048, .pool_bytes = 4096});
  CHECK(sizes[2] == gpu::table_extent{.slots = 1024, .pool_bytes = 4096});
}

}  // namespace duomap::test::gpu_engines_hash_table_extent_test
