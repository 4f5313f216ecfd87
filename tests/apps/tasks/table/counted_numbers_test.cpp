// Tests statistics of counted numbers against those of all rows, in exact arithmetic.
#include "apps/tasks/table/counted_numbers.hpp"

#include "apps/tasks/table/scaled_number.hpp"
#include "core/config.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace duomap::test::apps_tasks_table_counted_numbers_test {
namespace {

using namespace duomap::apps;

__extension__ using wide = __int128;

constexpr number_type integers = {};
constexpr number_type doubles = {.real = true};
constexpr decimal_fraction half = {.digits = 5, .scale = 1};

std::vector<counted_number> counted(const std::vector<std::int64_t>& rows) {
  std::map<std::int64_t, std::uint64_t> counts;
  for (const std::int64_t one : rows) ++counts[one];
  std::vector<counted_number> numbers;
  for (const auto& [number, count] : counts) numbers.push_back({number, count});
  return numbers;
}

std::vector<counted_number> counted_doubles(const std::vector<double>& rows) {
  std::vector<std::int64_t> bits;
  for (const double one : rows) bits.push_back(ordered_bits(one));
  return counted(bits);
}

// The variance by sums of squares in 128 bits, which are exact for numbers below 2^31 behind `offset`.
long double exact_variance(const std::vector<std::int64_t>& rows, std::int64_t offset) {
  const auto size = static_cast<wide>(rows.size());
  wide sum = 0, squares = 0;
  for (const std::int64_t one : rows) {
    const wide away = one - offset;
    sum += away;
    squares += away * away;
  }
  return static_cast<long double>(squares * size - sum * sum) / static_cast<long double>(size * (size - 1));
}

bool close(long double a, long double b) { return std::fabs(a - b) <= 1e-15L * std::fabs(b); }

}  // namespace

TEST_CASE("counted numbers: no number has no statistic, and one row no variance") {
  CHECK_FALSE(mode_of({}));
  CHECK_FALSE(quantile_of({}, half, integers));
  CHECK_FALSE(variance_of({}, integers));
  CHECK_FALSE(variance_of(counted({7}), integers));
  CHECK(*variance_of(counted({7, 7}), integers) == 0);
}

TEST_CASE("counted numbers: the smallest of the most frequent numbers is the mode") {
  CHECK(*mode_of(counted({3, 1, 3, 2, 2})) == 2);
  CHECK(*mode_of(counted({-5})) == -5);
}

TEST_CASE("counted numbers: quantiles lie between their neighbours") {
  CHECK(*quantile_of(counted({1, 2}), half, integers) == 1.5);
  CHECK(*quantile_of(counted({11, 12}), half, {.scale = 1}) == 1.15);
  CHECK(*quantile_of(counted({4, 4, 4, 9}), half, integers) == 4);
  CHECK(*quantile_of(counted({10, 20, 30}), {.digits = 0, .scale = 0}, integers) == 10);
  CHECK(*quantile_of(counted({10, 20, 30}), {.digits = 1, .scale = 0}, integers) == 30);
  CHECK(*quantile_of(counted({0, 10}), {.digits = 95, .scale = 2}, integers) == 9.5);
  CHECK(*quantile_of(counted_doubles({0.5, 1.5, 4}), {.digits = 75, .scale = 2}, doubles) == 2.75);
  constexpr double most = std::numeric_limits<double>::max();
  CHECK(*quantile_of(counted_doubles({-most, most}), half, doubles) == 0);
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  // The exact median of these is -0.5, and that of the two largest 9223372036854775806.5.
  CHECK(*quantile_of(counted({-largest - 1, largest}), half, integers) == -0.5);
  CHECK(*quantile_of(counted({largest - 1, largest}), half, integers) == 0x1p63);
  // 0.3 of the way from 0.1 to 0.2 is 0.13, of which no sum of doubles is sure.
  CHECK(*quantile_of(counted({1, 2}), {.digits = 3, .scale = 1}, {.scale = 1}) == 0.13);
  CHECK(*quantile_of(counted({100'000'000'000'000'001, 200'000'000'000'000'001}), {.digits = 3, .scale = 1},
                     {.scale = 18}) == 0.130000000000000001);
}

TEST_CASE("counted numbers: quantiles of random rows are those of the sorted rows") {
  auto random = std::mt19937_64(seed());
  for (int i = 0; i < 300; ++i) {
    std::vector<std::int64_t> rows(1 + random() % 40);
    for (std::int64_t& one : rows) one = static_cast<std::int64_t>(random() % 30) - 15;
    const std::vector<counted_number> numbers = counted(rows);
    std::ranges::sort(rows);
    const auto percent = static_cast<std::int64_t>(random() % 101);
    const auto position = static_cast<std::int64_t>(rows.size() - 1) * percent;
    const auto at = static_cast<std::size_t>(position / 100);
    const std::int64_t low = rows[at], high = rows[std::min(at + 1, rows.size() - 1)];
    const double right = static_cast<double>(low * 100 + (high - low) * (position % 100)) / 100;
    CAPTURE(rows, percent);
    CHECK(*quantile_of(numbers, {.digits = percent, .scale = 2}, integers) == right);
  }
}

TEST_CASE("counted numbers: variances are exact to the last bits, however large the numbers") {
  auto random = std::mt19937_64(seed());
  std::uint64_t wrong = 0;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t offset =
        random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() >> (2 + random() % 50));
    const std::uint64_t range = 2 + (random() >> (33 + random() % 30));
    std::vector<std::int64_t> rows(2 + random() % 500);
    for (std::int64_t& one : rows) one = offset + static_cast<std::int64_t>(random() % range);
    const long double right = exact_variance(rows, offset);
    wrong += !close(*variance_of(counted(rows), integers), right);
    wrong += !close(*variance_of(counted(rows), {.scale = 3}), right / 1e6L);
    std::vector<double> as_doubles;
    for (const std::int64_t one : rows)
      as_doubles.push_back(static_cast<double>(one % (std::int64_t{1} << 52)));
    if (offset < std::int64_t{1} << 51)
      wrong += !close(*variance_of(counted_doubles(as_doubles), doubles), right);
  }
  CHECK(wrong == 0);
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  CHECK(close(*variance_of(counted({-largest - 1, largest}), integers), std::ldexp(1.0L, 127)));
}

}  // namespace duomap::test::apps_tasks_table_counted_numbers_test
