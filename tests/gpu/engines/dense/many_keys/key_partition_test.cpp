// Tests the partitions of dense keys, and the path for each number of keys, without a GPU.
#include "gpu/engines/dense/many_keys/key_partition.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace duomap::gpu::gpu_engines_dense_many_keys_key_partition_test {
namespace {

constexpr std::uint64_t hopper = 56'300;  // room for 32-bit sums in a block

static_assert(choose_key_partition(1'000'000, hopper).bits == 5);
static_assert(choose_key_partition(10'000'000, hopper).bits == 8);
static_assert(choose_key_partition(100'000'000, hopper).bits == 0);
static_assert(choose_key_partition(1'000'000, 0).bits == 0);
static_assert(choose_key_partition(std::numeric_limits<std::uint64_t>::max(), hopper).bits == 0);
// A place within a partition has 16 bits, so 2^22 keys need 6 bits for the partition.
static_assert(choose_key_partition(std::uint64_t{1} << 22, 1 << 20).bits == 6);

constexpr dense_path path_for(std::uint64_t keys, std::uint64_t records, bool can_partition = true,
                              dense_path forced = dense_path::automatic) {
  return choose_dense_path(keys, records, hopper, can_partition, forced);
}

static_assert(path_for(0, 1 << 28) == dense_path::device_cells);
static_assert(path_for(hopper + 1, 1 << 28) == dense_path::ranges);
static_assert(path_for(1'000'000, 1 << 28) == dense_path::partitions);
static_assert(path_for(100'000'000, 1 << 28) == dense_path::device_cells);
// For few records, clearing and reading tables costs more than it saves.
static_assert(path_for(hopper + 1, 1000) == dense_path::device_cells);
static_assert(path_for(10'000'000, 1 << 21) == dense_path::device_cells);
static_assert(path_for(8 * hopper, 1 << 28, false) == dense_path::ranges);
static_assert(path_for(8 * hopper + 1, 1 << 28, false) == dense_path::device_cells);
// A forced path is taken where it is possible.
static_assert(path_for(10, 1, true, dense_path::ranges) == dense_path::ranges);
static_assert(path_for(10, 1, true, dense_path::partitions) == dense_path::partitions);
static_assert(path_for(10, 1, false, dense_path::partitions) == dense_path::device_cells);
static_assert(path_for(hopper + 1, 1 << 28, true, dense_path::device_cells) == dense_path::device_cells);

}  // namespace

TEST_CASE("every dense key has a place of its own in one partition", "[gpu]") {
  for (const unsigned bits : {5u, 6u, 9u}) {
    const key_partition partition{bits};
    for (const std::uint64_t keys : {1u, 8u, 9u, 255u, 256u, 257u, 100'000u}) {
      CAPTURE(bits, keys);
      const std::uint64_t places = partition.places(keys);
      std::vector<bool> taken(places * partition.partitions());
      for (std::uint32_t key = 0; key < keys; ++key) {
        const std::uint32_t of = partition.partition_of(key);
        const std::uint32_t place = partition.place_of(key);
        REQUIRE(of < partition.partitions());
        REQUIRE(place < places);
        REQUIRE(partition.key_of(of, place) == key);
        REQUIRE_FALSE(taken[of * places + place]);
        taken[of * places + place] = true;
      }
      CHECK(places <= (keys / 8 / partition.partitions() + 1) * 8);
    }
  }
}

TEST_CASE("keys at equal distances are spread over the partitions", "[gpu]") {
  const key_partition partition{5};
  for (const std::uint32_t distance : {1u, 8u, 64u, 256u, 1000u}) {
    std::vector<unsigned> keys(partition.partitions());
    for (std::uint32_t i = 0; i < 3200; ++i) ++keys[partition.partition_of(i * distance)];
    CAPTURE(distance);
    for (const unsigned one : keys) CHECK(one <= 200);
  }
}

}  // namespace duomap::gpu::gpu_engines_dense_many_keys_key_partition_test
