// Tests cells of structs and of floating-point values. Host threads fold into them like GPU threads.
#include "gpu/engines/hash/field_cell.hpp"

#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/support/check_cell.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>

namespace duomap::test::gpu_engines_hash_field_cell_test {
namespace {

/// Fields of every size, with every reduction that needs no lock.
struct sample {
  std::int32_t least[2];
  std::uint64_t most;
  std::int64_t total;
  double real_total;
  float real_most;
  std::uint32_t count;
  friend bool operator==(const sample&, const sample&) = default;
};
using fold_samples = reduce_fields<field_by<&sample::least, minimum>, field_by<&sample::most, maximum>,
                                   field_by<&sample::total, sum>, field_by<&sample::real_total, sum>,
                                   field_by<&sample::real_most, maximum>, field_by<&sample::count, sum>>;

/// Has a field of 8 bits, which the hardware cannot add.
struct small_sample {
  std::int32_t total;
  std::uint8_t small;
};
using fold_small_samples = sum_fields<&small_sample::total, &small_sample::small>;

template <class R>
using block_cell = gpu::field_cell<R, gpu::thread_scope::block>;
static_assert(!block_cell<fold_samples>::has_lock && !block_cell<sum<double>>::has_lock);
static_assert(!block_cell<maximum<std::uint64_t>>::has_lock);
static_assert(block_cell<fold_small_samples>::has_lock && block_cell<argmin<float>>::has_lock);

/// Two 64-bit sums. A cell has 20 bytes, so cells begin in all banks of shared memory.
struct two_sums {
  std::int64_t first;
  std::int64_t second;
};
using add_two_sums = sum_fields<&two_sums::first, &two_sums::second>;
static_assert(sizeof(block_cell<add_two_sums>) == 20);
static_assert(sizeof(gpu::field_cell<add_two_sums, gpu::thread_scope::device>) == 16);

/// Numbers by their remainder, whose cells are locked, because this is a reduction of the user's.
struct count_remainders {
  using value_type = std::array<std::uint32_t, 256>;
  using item_type = std::uint32_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] static value_type identity() { return {}; }
  [[nodiscard]] value_type operator()(value_type a, const value_type& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }
  static void add(value_type& into, const item_type& item) { ++into[item % into.size()]; }
};
static_assert(block_cell<count_remainders>::has_lock);

// Whole numbers, so that sums are exact in any order.
float any_real(std::mt19937_64& random) { return static_cast<float>(random() % 1000) - 500; }

sample any_sample(std::mt19937_64& random) {
  const std::uint64_t number = random();
  const float real = any_real(random);
  return {{static_cast<std::int32_t>(number), static_cast<std::int32_t>(number >> 32)},
          number,
          static_cast<std::int64_t>(number >> 20) - 5'000'000'000,
          real,
          real,
          1};
}

template <reduction R, class MakeValue>
void check_cells(const MakeValue& make_value) {
  check_cell<gpu::field_cell<R, gpu::thread_scope::block>, R>(make_value);
  check_cell<gpu::field_cell<R, gpu::thread_scope::device>, R>(make_value);
}

template <reduction R>
typename R::value_type fold_all(std::initializer_list<typename R::value_type> values) {
  block_cell<R> cell;
  cell.clear(R{});
  for (const auto& one : values) cell.fold(one, R{});
  return cell.read();
}

}  // namespace

TEST_CASE("cells of structs and of floating point on host threads", "[tables]") {
  check_cells<fold_samples>(any_sample);
  check_cells<sum<double>>(any_real);
  check_cells<minimum<float>>(any_real);
  check_cells<maximum<std::uint64_t>>([](std::mt19937_64& random) { return random(); });
  check_cells<count_remainders>([](std::mt19937_64& random) { return static_cast<std::uint32_t>(random()); });
}

TEST_CASE("cells of floating point: NaN gives way to numbers, and zeros keep their signs") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinite = std::numeric_limits<float>::infinity();
  CHECK(std::isnan(fold_all<minimum<float>>({nan, nan})));
  CHECK(fold_all<minimum<float>>({nan, 2, nan, 1}) == 1);
  CHECK(fold_all<maximum<float>>({-2, nan, -1}) == -1);
  CHECK(fold_all<minimum<float>>({infinite}) == infinite);
  CHECK(std::signbit(fold_all<sum<float>>({-0.0f, -0.0f})));
  CHECK(!std::signbit(fold_all<sum<float>>({-0.0f, 0.0f})));
}

}  // namespace duomap::test::gpu_engines_hash_field_cell_test
