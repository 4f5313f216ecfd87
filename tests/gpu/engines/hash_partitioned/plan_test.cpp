// Tests the path and the tables that are chosen for a sample, and the keys that mark empty slots
// (key_bits.hpp, key_value.hpp), without a GPU.
#include "gpu/engines/hash_partitioned/plan.hpp"

#include "gpu/engines/hash_partitioned/key_bits.hpp"
#include "gpu/engines/hash_partitioned/key_value.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace duomap::gpu::gpu_engines_hash_partitioned_plan_test {
namespace {

constexpr aggregation_limits hopper{.shared_bytes = 227 * 1024 - 512,
                                    .shared_per_multiprocessor = 228 * 1024,
                                    .most_emits = std::uint64_t{1} << 28};
constexpr aggregation_limits turing{.shared_bytes = 64 * 1024 - 512,
                                    .shared_per_multiprocessor = 64 * 1024,
                                    .most_emits = std::uint64_t{1} << 28};

/// The counts of an average sample if `keys` keys are equally frequent.
constexpr sample_counts uniform_sample(std::uint64_t keys) {
  if (keys < 40'000) {
    const auto all = static_cast<unsigned>(keys);
    return {sample_emits, all, 0, 0, sample_emits / all + 20};
  }
  const double mean = static_cast<double>(sample_emits) / static_cast<double>(keys);
  // Computes e^-mean by its series.
  double none = 1;
  double term = 1;
  for (int i = 1; i < 60; ++i) none += term *= -mean / i;
  const double all = static_cast<double>(keys);
  return {sample_emits, static_cast<unsigned>(all * (1 - none)), static_cast<unsigned>(all * mean * none),
          static_cast<unsigned>(all * mean * mean / 2 * none), 20};
}

constexpr aggregation_plan automatic(std::uint64_t keys) {
  return choose_plan(uniform_sample(keys), hopper, aggregation_path::automatic);
}

static_assert(automatic(10).path == aggregation_path::block_table);
static_assert(automatic(10).replica_bits == 3);
static_assert(automatic(1000).path == aggregation_path::block_table);
static_assert(automatic(10'000).path == aggregation_path::block_table);
static_assert(automatic(10'000).slots == 24576);
static_assert(automatic(100'000).path == aggregation_path::partitioned);
static_assert(automatic(1'000'000).partition_bits == 8);
static_assert(automatic(10'000'000).partition_bits == 10);
static_assert(!automatic(1'000'000).hot_keys);
static_assert(automatic(1'000'000).narrow);
static_assert(!choose_plan({sample_emits, 230'847, 200'000, 27'000, 20, 1}, hopper,
                           aggregation_path::automatic)
                   .narrow);
// A value stored in half of its bits either fits, or is known not to fit.
static_assert(fits_in<std::int32_t>(std::int64_t{-5}) && fits_in<std::int32_t>(std::int64_t{0x7FFFFFFF}));
static_assert(!fits_in<std::int32_t>(std::int64_t{0x80000000}) &&
              fits_in<std::uint32_t>(std::uint64_t{0x80000000}));
static_assert(std::is_same_v<narrow<std::int64_t>::type, std::int32_t> &&
              std::is_same_v<narrow<double>::type, double>);
// The counts of an average sample of ten million keys with Zipf's frequencies.
static_assert(
    choose_plan({sample_emits, 109'000, 92'300, 7850, 15'700}, hopper, aggregation_path::automatic).hot_keys);
static_assert(choose_plan({sample_emits, 109'000, 92'300, 7850, 15'700}, hopper, aggregation_path::automatic)
                  .partition_bits == 10);
// The table for frequent keys takes as many slots as the block's shared memory holds.
static_assert(hot_slots_in(hopper) == most_hot_slots);
static_assert(hot_slots_in({.shared_bytes = hopper.shared_bytes, .key_bytes = 8, .cell_bytes = 40}) == 2048);
static_assert(choose_plan(uniform_sample(10), hopper, aggregation_path::partitioned).path ==
              aggregation_path::partitioned);
static_assert(choose_plan(uniform_sample(1'000'000), hopper, aggregation_path::block_table).path ==
              aggregation_path::block_table);
// Turing's shared memory is too small for a partition pass.
static_assert(choose_plan(uniform_sample(1'000'000), turing, aggregation_path::automatic).path ==
              aggregation_path::block_table);

static_assert(estimate_keys({1000, 1000, 1000, 0, 1}, 5000) == 5000);
static_assert(estimate_keys({1000, 10, 0, 0, 100}, 5000) == 10);
static_assert(estimate_keys({}, 5000) == 0);

/// Puts 100,000 keys at a regular stride into 256 places. Returns the count of the fullest place over the
/// mean.
template <class Bits>
double unevenness(Bits stride, unsigned shift) {
  constexpr unsigned keys = 100'000;
  std::vector<unsigned> places(256);
  for (Bits i = 0; i < keys; ++i) ++places[scale(spread(static_cast<Bits>(i * stride)) << shift, 256)];
  return *std::max_element(places.begin(), places.end()) * 256.0 / keys;
}

template <class Bits>
void check_marks(std::uint32_t places) {
  const auto home_of = [=](Bits key) {
    return scale(spread(key), places);
  };
  const auto marks = make_marks<Bits>(home_of);
  CHECK(home_of(marks.usual) == marks.home);
  CHECK(home_of(marks.at_home) != marks.home);
  CHECK(marks.at(marks.home) == marks.at_home);
  for (const Bits key : {marks.usual, marks.at_home}) {
    CHECK(marks.contains(key));
    CHECK(marks.at(home_of(key)) != key);
  }
  CHECK(!marks.contains(static_cast<Bits>(~Bits{0})));
}

}  // namespace

TEST_CASE("aggregation plans fit the shared memory they are made for", "[gpu]") {
  for (const std::uint64_t kib : {64u, 99u, 163u, 227u}) {
    for (const std::uint64_t key : {4u, 8u}) {
      for (const std::uint64_t cell : {4u, 8u, 12u, 16u, 20u, 40u}) {
        aggregation_limits limits{.shared_bytes = kib * 1024 - 512,
                                  .shared_per_multiprocessor = (kib + 1) * 1024,
                                  .key_bytes = key,
                                  .cell_bytes = cell,
                                  .queued_bytes = cell <= 8 ? key + cell : key + cell - cell % 8,
                                  .can_replicate = cell != 12,
                                  .most_emits = 1'000'000'000};
        for (std::uint64_t keys = 1; keys < 100'000'000; keys *= 3) {
          for (const auto path :
               {aggregation_path::automatic, aggregation_path::block_table, aggregation_path::partitioned}) {
            const auto plan = choose_plan(uniform_sample(keys), limits, path);
            CAPTURE(kib, key, cell, keys, plan.slots, plan.threads, plan.replica_bits, plan.partition_bits);
            CHECK(plan.slots >= 64);
            CHECK(plan.slots % 64 == 0);
            CHECK(plan.slots * key + (std::uint64_t{plan.slots} << plan.replica_bits) * cell +
                      queue_bytes(plan.threads, limits.queued_bytes) <=
                  limits.shared_bytes);
            if (plan.path != aggregation_path::partitioned) continue;
            CHECK(plan.partition_bits >= 8);
            CHECK(plan.partition_bits <= most_partition_bits);
            CHECK(pass_shared_bytes(plan.partition_bits, plan.hot_keys ? hot_slots_in(limits) : 0, limits) <=
                  limits.shared_bytes);
          }
        }
      }
    }
  }
}

TEST_CASE("no key is reserved as the mark of an empty slot", "[gpu]") {
  for (const std::uint32_t places : {2u, 3u, 32u, 512u, 6144u, 12'288u, 524'288u}) {
    check_marks<unsigned int>(places);
    check_marks<unsigned long long>(places);
  }
}

TEST_CASE("keys are spread whatever their pattern", "[gpu]") {
  for (const unsigned shift : {0u, 8u, 11u}) {
    for (unsigned bits = 0; bits < 15; ++bits) {
      CAPTURE(shift, bits);
      CHECK(unevenness<unsigned int>(1u << bits, shift) < 1.6);
      CHECK(unevenness<unsigned int>((1u << bits) + 1, shift) < 1.6);
      CHECK(unevenness<unsigned int>(10'000u * (bits + 1), shift) < 1.6);
    }
    for (unsigned bits = 0; bits < 47; ++bits) {
      CAPTURE(shift, bits);
      CHECK(unevenness<unsigned long long>(1ull << bits, shift) < 1.6);
      CHECK(unevenness<unsigned long long>((1ull << bits) + 1, shift) < 1.6);
    }
  }
}

}  // namespace duomap::gpu::gpu_engines_hash_partitioned_plan_test
