// Tests where the dense engine places accumulators (also ordered/tuning.hpp) and how it folds into them
// (fold_kind.hpp, row_unit.hpp), without a GPU.
#include "gpu/engines/dense/ordered/tuning.hpp"

#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"
#include "gpu/engines/dense/fold_kind.hpp"
#include "gpu/engines/dense/row_unit.hpp"
#include "gpu/engines/dense/tuning.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/support/dense_tasks.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace duomap::gpu::gpu_engines_dense_tuning_test {
namespace {

constexpr std::uint64_t many = std::uint64_t{1} << 20;
constexpr std::uint64_t hopper = 227 * 1024;
constexpr std::uint64_t turing = 64 * 1024;

// Each of 1024 threads has its own 32-bit sums as long as they fit. For 4096 keys there are eight copies.
static_assert(place_dense(1, 4, true, 1024, hopper, many) == dense_placement{true, 10});
static_assert(place_dense(56, 4, true, 1024, hopper, many) == dense_placement{true, 10});
static_assert(place_dense(58, 4, true, 1024, hopper, many) == dense_placement{true, 9});
static_assert(place_dense(4096, 4, true, 1024, hopper, many) == dense_placement{true, 3});
static_assert(place_dense(56'300, 4, true, 1024, hopper, many) == dense_placement{true, 0});
static_assert(place_dense(56'400, 4, true, 1024, hopper, many) == dense_placement{});
static_assert(place_dense(4096, 4, true, 1024, turing, many) == dense_placement{true, 1});
// For few records, many copies are not worth their merge.
static_assert(place_dense(1, 4, true, 1024, hopper, 100) == dense_placement{true, 8});
static_assert(place_dense(20, 20, true, 1024, hopper, 76) == dense_placement{true, 3});
static_assert(place_dense(1000, 4, true, 1024, hopper, 76) == dense_placement{true, 0});
// No keys at all, and more keys than 64 bits can count in bytes.
static_assert(place_dense(0, 4, true, 1024, hopper, many).in_block);
static_assert(!place_dense(std::numeric_limits<std::uint64_t>::max(), 4, true, 1024, hopper, many).in_block);

static_assert(threads_for(0, 1024) == 128 && threads_for(129, 1024) == 256 &&
              threads_for(~0ull, 1024) == 1024);

static_assert(place_ordered(3, 36, 33, 512, hopper, 132, 1 << 28) == ordered_placement{512, 132});
static_assert(place_ordered(100, 36, 33, 512, hopper, 132, 1 << 28) == ordered_placement{64, 132});
static_assert(place_ordered(1000, 36, 33, 512, hopper, 132, 1 << 28) == ordered_placement{1, 132});
static_assert(place_ordered(1'000'000, 36, 33, 512, hopper, 132, 1 << 28) == ordered_placement{1, 8});
static_assert(place_ordered(std::numeric_limits<std::uint64_t>::max() / 64, 36, 33, 512, hopper, 132,
                            1 << 28) == ordered_placement{1, 1});

static_assert(fold_kind_of<sum<std::int32_t>>() == fold_kind::numbers);
static_assert(fold_kind_of<sum<double>>() == fold_kind::numbers);
static_assert(fold_kind_of<test::add_tallies>() == fold_kind::numbers);
static_assert(fold_kind_of<sum<std::uint8_t>>() == fold_kind::swap);
static_assert(fold_kind_of<minimum<float>>() == fold_kind::swap);
static_assert(fold_kind_of<test::either>() == fold_kind::swap);
static_assert(fold_kind_of<test::exclusive_or>() == fold_kind::swap);
// The value has eight bytes and no identity, so there is no room for an "empty" flag.
static_assert(fold_kind_of<minimum<double>>() == fold_kind::lock);
static_assert(fold_kind_of<argmin<std::int32_t>>() == fold_kind::lock);
// The engine knows nothing about a user's own operation, even if it sums fields.
static_assert(fold_kind_of<test::add_moments>() == fold_kind::lock);

template <std::uint32_t Width>
struct floats {
  using format = rows<float>;
  using key = dense;
  using reduce = sum<float>;
  [[nodiscard]] static constexpr rows<float> records() { return {.width = Width}; }
  [[nodiscard]] static std::uint64_t key_count() { return 1; }
  void map(const row<float>&, auto&) const {}
};

static_assert(row_unit<floats<1>>::rows == 4 && row_unit<floats<1>>::bytes == 16);
static_assert(row_unit<floats<2>>::rows == 2 && row_unit<floats<2>>::bytes == 16);
static_assert(row_unit<floats<3>>::rows == 4 && row_unit<floats<3>>::bytes == 48);
static_assert(row_unit<floats<4>>::rows == 1 && row_unit<floats<4>>::bytes == 16);
static_assert(has_row_units<floats<8>> && has_row_units<floats<16>>);
static_assert(!has_row_units<floats<5>> && !has_row_units<floats<17>> && !has_row_units<floats<0>>);
// The width is known only at run time.
static_assert(!has_row_units<test::cell_moments> && !has_row_units<test::float_sums>);

}  // namespace

TEST_CASE("copies of dense accumulators fit the shared memory they are chosen for", "[gpu]") {
  for (const std::uint64_t available : {48u * 1024, 64u * 1024, 99u * 1024, 163u * 1024, 227u * 1024}) {
    for (const std::uint64_t cell : {4u, 8u, 20u, 68u}) {
      for (std::uint64_t keys = 1; keys < 100'000; keys = keys * 5 / 4 + 1) {
        const dense_placement chosen = place_dense(keys, cell, true, 1024, available, many);
        CAPTURE(available, cell, keys, chosen.copies_log2);
        const std::uint64_t copies = std::uint64_t{1} << chosen.copies_log2;
        const auto bytes = [&](std::uint64_t of) {
          return (keys * cell * of + (keys + 31) / 32 * 4 + 15) / 16 * 16;
        };
        // The calculation subtracts the rounding before it divides, so the limit is up to 20 bytes lower.
        CHECK((chosen.in_block ? bytes(1) <= available : bytes(1) + 20 > available));
        if (!chosen.in_block) continue;
        CHECK(bytes(copies) <= available);
        CHECK((copies == 1024 || bytes(2 * copies) + 20 > available));
      }
    }
  }
}

TEST_CASE("a start value changes no value it is reduced with", "[gpu]") {
  const auto check_start = [](const auto& reduce, const auto& value) {
    CHECK(reduce(start_value(reduce), value) == value);
  };
  check_start(sum<std::int64_t>{}, std::int64_t{-5});
  check_start(minimum<std::int32_t>{}, std::numeric_limits<std::int32_t>::max());
  check_start(maximum<std::int64_t>{}, std::numeric_limits<std::int64_t>::min());
  check_start(test::exclusive_or{}, ~std::uint64_t{0});
  check_start(test::add_tallies{}, test::tally{1.5f, {-1, 2}, 3, -4});
  CHECK(std::signbit(sum<float>{}(start_value(sum<float>{}), -0.0f)));
  CHECK(!std::signbit(sum<float>{}(start_value(sum<float>{}), 0.0f)));
}

}  // namespace duomap::gpu::gpu_engines_dense_tuning_test
