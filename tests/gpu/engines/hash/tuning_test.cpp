// Tests which block tables are chosen for each device, without a GPU.
#include "gpu/engines/hash/tuning.hpp"

#include "tests/catch.hpp"

namespace duomap::gpu::gpu_engines_hash_tuning_test {
namespace {

// The tuning for word count: 64 bytes for a block, 2256 bytes for a warp and 12 bytes for a slot.
constexpr tuning choose(std::uint64_t per_multiprocessor, std::uint64_t per_block) {
  return choose_tuning({per_multiprocessor * 1024, per_block * 1024}, 64, 2256, 12);
}

static_assert(choose(228, 227) == tuning{1, 32, 13'348});  // compute capability 9.0 and 10.0
static_assert(choose(164, 163) == tuning{1, 32, 7'888});   // compute capability 8.0
static_assert(choose(100, 99) == tuning{1, 20, 4'680});    // compute capability 8.6, 8.9 and 12.0
static_assert(choose(64, 64) == tuning{1, 12, 3'112});     // compute capability 7.5

}  // namespace

TEST_CASE("the chosen tables fit the device they are chosen for", "[gpu]") {
  for (const shared_memory has : {shared_memory{65'536, 65'536}, shared_memory{167'936, 166'912},
                                  shared_memory{102'400, 101'376}, shared_memory{233'472, 232'448}}) {
    for (const std::uint64_t fixed : {0u, 64u, 1000u}) {
      for (const std::uint64_t warp : {16u, 2256u, 3280u, 6000u}) {
        for (const std::uint64_t slot : {12u, 16u, 32u, 64u}) {
          CAPTURE(has.per_multiprocessor, fixed, warp, slot);
          const tuning chosen = choose_tuning(has, fixed, warp, slot);
          const std::uint64_t used = fixed + chosen.warps * warp + chosen.table_slots * slot;
          CHECK(used <= has.per_block);
          CHECK(chosen.blocks_per_multiprocessor * (used + reserved_shared_bytes) <= has.per_multiprocessor);
          CHECK(chosen.warps >= 4);
          CHECK(32 * chosen.warps <= most_block_threads);
          CHECK(chosen.table_slots % 4 == 0);
          CHECK(chosen.table_slots >= 256);
        }
      }
    }
  }
  CHECK(choose_tuning({8192, 8192}, 64, 2256, 12) == tuning{1, 4, fewest_slots});
}

}  // namespace duomap::gpu::gpu_engines_hash_tuning_test
