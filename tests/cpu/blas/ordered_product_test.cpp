// Tests matrix products with a fixed order of additions: any vector path and any cut gives the bits of a
// plain loop.
#include "cpu/blas/ordered_product.hpp"

#include "core/product.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::test::cpu_blas_ordered_product_test {

using duomap::operand;
using duomap::result_operand;

namespace {

template <class T>
std::vector<T> random_numbers(std::uint64_t count, std::mt19937_64& random) {
  std::uniform_real_distribution<T> any(-1, 1);
  std::vector<T> all(count);
  for (T& one : all) one = any(random);
  return all;
}

template <class T>
std::vector<T> one_by_one(std::uint64_t m, std::uint64_t n, std::uint64_t k, const std::vector<T>& left,
                          const std::vector<T>& right, bool transposed) {
  std::vector<T> out(m * n);
  for (std::uint64_t i = 0; i < m; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (std::uint64_t t = 0; t < k; ++t)
        sum = std::fma(left[i * k + t], transposed ? right[j * k + t] : right[t * n + j], sum);
      out[i * n + j] = sum;
    }
  }
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("a product in order has the bits of the plain loop for any sizes", "[product]", float,
                   double) {
  std::mt19937_64 random(duomap::test::seed());
  for (int round = 0; round < 40; ++round) {
    const std::uint64_t m = 1 + random() % 20;
    const std::uint64_t n = 1 + random() % 80;
    const std::uint64_t k = round < 10 ? random() % 3 : random() % 600;
    const bool transposed = random() % 2 == 0;
    CAPTURE(m, n, k, transposed);
    const auto left = random_numbers<TestType>(m * k, random);
    const auto right = random_numbers<TestType>(k * n, random);
    std::vector<TestType> out(m * n, 17);
    duomap::cpu::multiply_in_order(m, n, k, operand<TestType>{left.data(), k},
                                   operand<TestType>{right.data(), transposed ? k : n, transposed},
                                   result_operand<TestType>{out.data(), n});
    REQUIRE(out == one_by_one(m, n, k, left, right, transposed));
  }
}

TEMPLATE_TEST_CASE("a part of a product in order has the bits of the whole", "[product]", float, double) {
  std::mt19937_64 random(duomap::test::seed());
  constexpr std::uint64_t m = 31;
  constexpr std::uint64_t n = 77;
  constexpr std::uint64_t k = 301;
  const auto left = random_numbers<TestType>(m * k, random);
  const auto right = random_numbers<TestType>(k * n, random);
  std::vector<TestType> whole(m * n);
  duomap::cpu::multiply_in_order(m, n, k, operand<TestType>{left.data(), k},
                                 operand<TestType>{right.data(), n},
                                 result_operand<TestType>{whole.data(), n});
  const std::uint64_t row = random() % m;
  const std::uint64_t column = random() % n;
  std::vector<TestType> parts(m * n, 17);
  for (const auto& [first_row, end_row] : {std::pair{std::uint64_t{0}, row}, std::pair{row, m}}) {
    for (const auto& [first, end] : {std::pair{std::uint64_t{0}, column}, std::pair{column, n}}) {
      duomap::cpu::multiply_in_order(end_row - first_row, end - first, k,
                                     operand<TestType>{left.data() + first_row * k, k},
                                     operand<TestType>{right.data() + first, n},
                                     result_operand<TestType>{parts.data() + first_row * n + first, n});
    }
  }
  CHECK(parts == whole);
}

// The packed factor has several blocks in both directions. Rows 4 KiB apart are copied before use.
TEMPLATE_TEST_CASE("threads that share a packed factor give the bits of the plain loop", "[product]", float,
                   double) {
  std::mt19937_64 random(duomap::test::seed());
  const bool transposed = random() % 2 == 0;
  const std::uint64_t n = 400 + random() % 50;
  const std::uint64_t k = GENERATE(std::uint64_t{1024}, std::uint64_t{531});
  constexpr std::uint64_t m = 40;
  CAPTURE(n, k, transposed);
  const auto left = random_numbers<TestType>(m * k, random);
  const auto right = random_numbers<TestType>(k * n, random);
  const auto expected = one_by_one(m, n, k, left, right, transposed);
  duomap::cpu::packed_factor<TestType> packed(
      n, k, operand<TestType>{right.data(), transposed ? k : n, transposed});
  std::vector<TestType> out(m * n, 17);
  std::vector<std::thread> threads;
  for (const auto& [first, end] : {std::pair{0, 11}, std::pair{11, 24}, std::pair{24, 40}}) {
    threads.emplace_back(
        [&, first = static_cast<std::uint64_t>(first), end = static_cast<std::uint64_t>(end)] {
          packed.multiply(end - first, operand<TestType>{left.data() + first * k, k},
                          result_operand<TestType>{out.data() + first * n, n});
        });
  }
  for (std::thread& one : threads) one.join();
  CHECK(out == expected);
}

}  // namespace duomap::test::cpu_blas_ordered_product_test
