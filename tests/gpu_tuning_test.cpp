// Which block tables are chosen for which device; needs none.
#include "gpu/object/tuning.hpp"
#include "tests/catch.hpp"

namespace duomap::gpu {
namespace {

// What word count needs: about 35 KB, and 16 bytes for each slot.
constexpr tuning choose(int major, int minor, std::uint64_t per_multiprocessor, std::uint64_t per_block) {
  return choose_tuning(major, minor, {per_multiprocessor * 1024, per_block * 1024}, 35'000, 16);
}

static_assert(choose(9, 0, 228, 227) == tuning{3, 2048});
static_assert(choose(10, 0, 228, 227) == tuning{3, 2048});
static_assert(choose(8, 0, 164, 163) == tuning{2, 2048});
static_assert(choose(8, 6, 100, 99) == tuning{1, 4096});
static_assert(choose(7, 5, 64, 64) == tuning{1, 1024});

}  // namespace

TEST_CASE("the chosen tables fit the device they are chosen for", "[gpu]") {
  struct device {
    int major, minor;
    shared_memory has;
  };
  for (const device& one : {device{7, 5, {65'536, 65'536}}, device{8, 0, {167'936, 166'912}},
                            device{8, 6, {102'400, 101'376}}, device{8, 9, {102'400, 101'376}},
                            device{9, 0, {233'472, 232'448}}, device{12, 0, {102'400, 101'376}}}) {
    for (const std::uint64_t fixed : {1000u, 20'000u, 35'000u, 51'000u}) {
      for (const std::uint64_t slot : {12u, 16u, 32u, 64u}) {
        CAPTURE(one.major, one.minor, fixed, slot);
        const tuning chosen = choose_tuning(one.major, one.minor, one.has, fixed, slot);
        CHECK((chosen.table_slots & (chosen.table_slots - 1)) == 0);
        CHECK(chosen.table_slots >= 256);
        if (fixed + 256 * slot > one.has.per_block) continue;
        CHECK(fixed + chosen.table_slots * slot <= one.has.per_block);
        CHECK(chosen.blocks_per_multiprocessor * block_threads <= (one.major == 7 ? 1024u : 1536u));
      }
    }
  }
}

}  // namespace duomap::gpu
