// Tests reproducible sums: any order gives the same bits, close to the exact sum.
#include "core/reproducible.hpp"

#include "core/error.hpp"
#include "core/reduce.hpp"
#include "core/reproducible_fields.hpp"
#include "core/total_order.hpp"
#include "core/verify/laws.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/exact_sum.hpp"
#include "tests/support/inputs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::core_reproducible_test {
namespace {

static_assert(sizeof(reproducible<float>) == 32 && sizeof(reproducible<double>) == 40);
static_assert(std::is_trivially_copyable_v<reproducible<double>> && has_identity<sum<reproducible<float>>>);
static_assert((reproducible<float>(1.5f) + 2.25f) == (reproducible<float>(2.25f) + 1.5f));

template <class Float>
using limits = std::numeric_limits<Float>;

template <class Float>
[[nodiscard]] auto bits(Float number) {
  return std::bit_cast<std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>>(number);
}

template <class Float>
[[nodiscard]] reproducible<Float> total(const std::vector<Float>& numbers) {
  reproducible<Float> all{};
  for (const Float number : numbers) all = all + number;
  return all;
}

/// Adds the numbers in random order and grouping.
template <class Float>
[[nodiscard]] reproducible<Float> shuffled_total(std::vector<Float> numbers, std::mt19937_64& random) {
  std::shuffle(numbers.begin(), numbers.end(), random);
  std::vector<reproducible<Float>> parts(numbers.begin(), numbers.end());
  while (parts.size() > 1) {
    std::swap(parts[random() % parts.size()], parts.back());
    const reproducible<Float> one = parts.back();
    parts.pop_back();
    reproducible<Float>& other = parts[random() % parts.size()];
    other = random() % 2 == 0 ? one + other : other + one;
  }
  return parts.empty() ? reproducible<Float>{} : parts.front();
}

/// Random finite numbers, whose exponents lie close together or far apart.
template <class Float>
[[nodiscard]] std::vector<Float> random_numbers(std::mt19937_64& random, std::size_t count) {
  std::vector<Float> numbers;
  const auto spread = std::vector<int>{2, 40, 90, 4000}[random() % 4];
  const int centre = static_cast<int>(random() % 2300) - 1150;
  const auto any = [&] {
    const Float mantissa = std::ldexp(static_cast<Float>(random() >> 11), -53);
    const int exponent =
        std::clamp(centre + static_cast<int>(random() % static_cast<unsigned>(spread)),
                   limits<Float>::min_exponent - limits<Float>::digits - 3, limits<Float>::max_exponent - 1);
    return std::ldexp(random() % 2 == 0 ? mantissa : -mantissa, exponent);
  };
  while (numbers.size() < count) numbers.push_back(any());
  // In half of the cases, neighbours cancel, so the sum stays small.
  if (random() % 2 == 0) {
    for (std::size_t i = 0; i + 2 < count; i += 3) numbers[i + 1] = -numbers[i];
  }
  return numbers;
}

/// Whether |value - exact| <= ulp(value) / 2 + n ulp(largest) / 2^30.
template <class Float>
[[nodiscard]] bool is_near(Float value, const std::vector<Float>& numbers) {
  exact_sum error;
  Float largest = 0;
  for (const Float number : numbers) {
    error.add(static_cast<double>(number));
    largest = std::max(largest, std::abs(number));
  }
  error.add(-static_cast<double>(value));
  const auto ulp = [](Float number) {
    int exponent = 0;
    std::frexp(number, &exponent);
    return std::ldexp(1.0, std::max(exponent, limits<Float>::min_exponent) - limits<Float>::digits);
  };
  exact_sum bound;
  // Below a power of two, an ulp has half the size, and the nearest number may lie above that power.
  bound.add(ulp(std::abs(value)), -1);
  for (std::size_t i = 0; i < numbers.size(); ++i) bound.add(ulp(largest), -30);
  return error.magnitude() <= bound;
}

/// Whether no other number of the type is nearer to the exact sum.
template <class Float>
[[nodiscard]] bool is_nearest(Float value, const exact_sum& exact) {
  const auto distance = [&](Float from) {
    exact_sum rest = exact;
    rest.add(-static_cast<double>(from));
    return rest.magnitude();
  };
  const exact_sum mine = distance(value);
  return mine <= distance(std::nextafter(value, limits<Float>::infinity())) &&
         mine <= distance(std::nextafter(value, -limits<Float>::infinity()));
}

TEMPLATE_TEST_CASE("a reproducible sum has the same bytes in any order and grouping", "", float, double) {
  std::mt19937_64 random(seed());
  for (int round = 0; round < 300; ++round) {
    const auto numbers = random_numbers<TestType>(random, random() % 50);
    const auto expected = total(numbers);
    CHECK(expected.count() == numbers.size());
    for (int order = 0; order < 5; ++order) {
      const auto other = shuffled_total(numbers, random);
      CHECK(other == expected);
      CHECK(bits(other.value()) == bits(expected.value()));
    }
  }
}

TEMPLATE_TEST_CASE("a reproducible sum is as near to the exact one as it says", "", float, double) {
  std::mt19937_64 random(seed());
  for (int round = 0; round < 400; ++round) {
    const auto numbers = random_numbers<TestType>(random, 1 + random() % 60);
    const TestType value = total(numbers).value();
    if (std::isfinite(value)) CHECK(is_near(value, numbers));
  }
}

TEMPLATE_TEST_CASE(
    "a reproducible sum of numbers within 30 bits of each other's last ones is correctly rounded", "", float,
    double) {
  std::mt19937_64 random(seed());
  for (int round = 0; round < 400; ++round) {
    // Whole multiples of one unit, from 1 to 2^(digits + 30) units.
    const int unit = static_cast<int>(random() % 100) - 50;
    std::vector<TestType> numbers;
    exact_sum exact;
    const auto count = 1 + random() % 100;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto whole = static_cast<TestType>(random() >> (64 - limits<TestType>::digits));
      const int shift = static_cast<int>(random() % 31);
      const TestType number = std::ldexp(random() % 2 == 0 ? whole : -whole, unit + shift);
      numbers.push_back(number);
      exact.add(static_cast<double>(number));
    }
    CHECK(is_nearest(total(numbers).value(), exact));
  }
}

TEMPLATE_TEST_CASE("one number is its own reproducible sum, bit for bit", "", float, double) {
  std::mt19937_64 random(seed());
  using number_limits = limits<TestType>;
  std::vector<TestType> numbers = {0, number_limits::denorm_min(), number_limits::min(), number_limits::max(),
                                   1, number_limits::infinity()};
  numbers.push_back(std::nextafter(number_limits::min(), TestType{0}));
  for (int i = 0; i < 2000; ++i) {
    const auto any = std::bit_cast<TestType>(static_cast<decltype(bits(TestType{}))>(random()));
    if (!std::isnan(any)) numbers.push_back(any);
  }
  for (const TestType number : numbers) {
    CHECK(bits(reproducible<TestType>(number).value()) == bits(number));
    CHECK(bits(reproducible<TestType>(-number).value()) == bits(-number));
  }
}

TEMPLATE_TEST_CASE("zeros, infinities and NaN in reproducible sums", "", float, double) {
  using number_limits = limits<TestType>;
  const TestType inf = number_limits::infinity(), nan = -number_limits::quiet_NaN();
  const auto value = [](const std::vector<TestType>& numbers) {
    return bits(total(numbers).value());
  };
  CHECK(bits(reproducible<TestType>{}.value()) == bits(TestType{0}));
  CHECK(value({}) == bits(TestType{0}));
  CHECK(value({-0.0}) == bits(-TestType{0}));
  CHECK(value({-0.0, -0.0}) == bits(-TestType{0}));
  CHECK(value({-0.0, 0.0}) == bits(TestType{0}));
  CHECK(value({3, -3}) == bits(TestType{0}));
  CHECK(value({inf, 1, inf}) == bits(inf));
  CHECK(value({1, -inf}) == bits(-inf));
  CHECK(value({inf, -inf}) == bits(number_limits::quiet_NaN()));
  CHECK(value({nan, inf}) == bits(number_limits::quiet_NaN()));
}

TEMPLATE_TEST_CASE("only the result of a reproducible sum is rounded or overflows", "", float, double) {
  using number_limits = limits<TestType>;
  const TestType max = number_limits::max(), tiny = number_limits::denorm_min();
  const auto value = [](const std::vector<TestType>& numbers) {
    return total(numbers).value();
  };
  CHECK(value({max, max, -max}) == max);
  CHECK(value({max, max}) == number_limits::infinity());
  CHECK(value({-max, -max}) == -number_limits::infinity());
  const TestType half_ulp = std::ldexp(TestType{1}, number_limits::max_exponent - number_limits::digits - 1);
  CHECK(value({max, half_ulp}) == number_limits::infinity());
  CHECK(value({max, half_ulp, -half_ulp / 2}) == max);
  CHECK(value({tiny, tiny, tiny}) == 3 * tiny);
  CHECK(value({number_limits::min(), -tiny}) == number_limits::min() - tiny);
  // Ties go to even, up or down. A number 20 bits smaller decides a tie.
  const TestType eps = number_limits::epsilon();
  CHECK(value({1, eps / 2}) == 1);
  CHECK(value({1 + eps, eps / 2}) == 1 + 2 * eps);
  CHECK(value({1, eps / 2, eps / 1'000'000}) == 1 + eps);
  CHECK(value({-1, -eps / 2, eps / 1'000'000}) == -1);
  // 2^110 is above the range that the sum can hold beside 1, so 1 is lost in either order.
  const TestType huge = std::ldexp(TestType{1}, 110);
  CHECK(value({1, huge, -huge}) == 0);
  CHECK(value({huge, -huge, 1}) == 0);
}

TEST_CASE("a reproducible sum of too many numbers fails instead of being wrong") {
  reproducible<float> all(std::bit_cast<float>(0x7F7FFFFFu));
  for (int i = 0; i < 33; ++i) all = all + all;
  CHECK(all.count() == reproducible<float>::most_numbers);
  CHECK(all.value() == limits<float>::infinity());
  auto cancelled = reproducible<float>(1.0f - limits<float>::epsilon());
  for (int i = 0; i < 32; ++i) cancelled = cancelled + cancelled;
  CHECK(cancelled.value() == std::ldexp(1.0f - limits<float>::epsilon(), 32));
  const auto more = all + 1.0f;
  CHECK_THROWS_WITH(more.value(), contains("more than 8589934592 numbers"));
  // The count of numbers saturates; it does not wrap around to 0.
  for (int i = 0; i < 40; ++i) all = all + all;
  CHECK(all.count() == (std::uint64_t{1} << 48) - 1);
  CHECK_THROWS_AS(all.value(), error);
}

template <class Reduce, class V>
void check_laws(const std::vector<V>& values) {
  for (const law_check& law : law_trials<Reduce>(Reduce{}, values, seed()).run(2000)) {
    INFO(law.law << ": " << law.counterexample);
    CHECK(law.trials > 0);
    CHECK(law.holds());
  }
}

struct weighted_point {
  float at[2][2];
  double weight;
  std::uint8_t points;
};
using exact_points =
    reproducible_fields<&weighted_point::at, &weighted_point::weight, &weighted_point::points>;

TEST_CASE("laws of reproducible sums hold, and those of the plain sum do not") {
  std::mt19937_64 random(seed());
  std::vector<reproducible<double>> values;
  std::vector<exact_points> points;
  for (const double number : random_numbers<double>(random, 300)) {
    values.emplace_back(number);
    const auto small = static_cast<float>(random() >> 40);
    points.emplace_back(weighted_point{{{small, 1 / small}, {static_cast<float>(number), -small}},
                                       number,
                                       static_cast<std::uint8_t>(random())});
  }
  check_laws<sum<reproducible<double>>>(values);
  check_laws<sum<exact_points>>(points);
  // Plain doubles break the law that reproducible sums keep.
  CHECK((0.1 + 0.2) + 0.3 != 0.1 + (0.2 + 0.3));
}

TEST_CASE("fields of a struct are summed each, arrays and integers among them") {
  const exact_points all = exact_points(weighted_point{{{1, 2}, {3, 4}}, 0.1, 200}) +
                           weighted_point{{{1, -2}, {1e30f, 4}}, 0.2, 100} +
                           weighted_point{{{0, 0}, {-1e30f, 0}}, 0.3, 0};
  const weighted_point sums = all.value();
  CHECK(sums.at[0][0] == 2);
  CHECK(sums.at[0][1] == 0);
  CHECK(sums.at[1][0] == 0);
  CHECK(sums.at[1][1] == 8);
  CHECK(sums.weight == 0.6);
  CHECK(sums.points == 44);
}

template <class Order>
void check_order(std::vector<float> expected) {
  std::mt19937_64 random(seed());
  const std::vector<float> sorted = expected;
  std::shuffle(expected.begin(), expected.end(), random);
  std::sort(expected.begin(), expected.end(), Order{});
  for (std::size_t i = 0; i < sorted.size(); ++i) CHECK(bits(expected[i]) == bits(sorted[i]));
  check_laws<first_in_order<float, Order>>(sorted);
  std::vector<scored<float>> scores;
  for (const float score : sorted) {
    for (const std::uint64_t index : {7u, 8u}) scores.push_back({score, index});
  }
  check_laws<first_in_order<scored<float>, Order>>(scores);
}

TEST_CASE("zeros of both signs and NaN are ranked: NaN behind everything") {
  const float inf = limits<float>::infinity();
  const auto nan = std::bit_cast<float>(0x7FC00001u), other_nan = std::bit_cast<float>(0x7FC00000u);
  check_order<number_order<false>>({-inf, -2.0f, -0.0f, 0.0f, 1.0f, inf, nan, other_nan});
  check_order<number_order<true>>({inf, 1.0f, 0.0f, -0.0f, -2.0f, -inf, other_nan, nan});
  const first_in_order<scored<float>, number_order<false>> first;
  CHECK(first({0.0f, 3}, {-0.0f, 4}).index == 3);
  CHECK(first({nan, 3}, {5.0f, 4}).index == 4);
  CHECK(first({nan, 3}, {other_nan, 2}).index == 2);
  CHECK(first({2.0f, 3}, {1.0f, 4}).index == 4);
}

}  // namespace
}  // namespace duomap::test::core_reproducible_test
