// Tests matrix products of all sizes and splits against a plain loop in double, and errors.
#include "numeric/matmul/matmul.hpp"

#include "core/error.hpp"
#include "duomap.hpp"
#include "numeric/matmul/row_product.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace duomap::numeric_matmul_matmul_test {
namespace {

template <class T>
struct factors {
  std::uint64_t m, k, n;
  std::vector<T> left, right;

  factors(std::uint64_t rows, std::uint64_t terms, std::uint64_t columns, std::mt19937_64& random)
    : m(rows), k(terms), n(columns), left(m * k), right(k * n) {
    std::uniform_real_distribution<T> any(-1, 1);
    for (T& one : left) one = any(random);
    for (T& one : right) one = any(random);
  }
  [[nodiscard]] matrix_view<T> first() const { return {left.data(), m, k}; }
  [[nodiscard]] matrix_view<T> second() const { return {right.data(), k, n}; }
};

// Returns the largest error of any element, in units of the error that matmul_options allows.
template <class T>
double worst_error(const factors<T>& of, std::span<const T> product) {
  double worst = 0;
  for (std::uint64_t i = 0; i < of.m; ++i) {
    for (std::uint64_t j = 0; j < of.n; ++j) {
      long double sum = 0;
      long double sizes = 0;
      for (std::uint64_t t = 0; t < of.k; ++t) {
        const long double term = static_cast<long double>(of.left[i * of.k + t]) * of.right[t * of.n + j];
        sum += term;
        sizes += std::abs(term);
      }
      const long double allowed =
          static_cast<long double>(of.k + 1) * std::numeric_limits<T>::epsilon() / 2 * sizes;
      const long double error = std::abs(static_cast<long double>(product[i * of.n + j]) - sum);
      if (error > 0) worst = std::max(worst, allowed > 0 ? static_cast<double>(error / allowed) : 1e9);
    }
  }
  return worst;
}

}  // namespace

TEMPLATE_TEST_CASE("matmul is right for any sizes and threads", "[matmul]", float, double) {
  std::mt19937_64 random(test::seed());
  for (int round = 0; round < 12; ++round) {
    const factors<TestType> of(1 + random() % 300, round == 0 ? 0 : 1 + random() % 90, 1 + random() % 90,
                               random);
    CAPTURE(of.m, of.k, of.n);
    for (const unsigned threads : {1u, 3u}) {
      std::vector<TestType> product(of.m * of.n, std::numeric_limits<TestType>::quiet_NaN());
      matmul<TestType>(of.first(), of.second(), product,
                       {.run = {.device = device_choice::cpu, .threads = threads}});
      CHECK(worst_error<TestType>(of, product) <= 1);
    }
  }
}

TEMPLATE_TEST_CASE("matmul in order has the same bits for any number of threads", "[matmul]", float, double) {
  std::mt19937_64 random(test::seed());
  const factors<TestType> of(701, 401, 600, random);  // too many operations for one worker alone
  const auto with = [&](unsigned threads) {
    return matmul(of.first(), of.second(),
                  {.run = {.device = device_choice::cpu, .threads = threads}, .kind = product_kind::ordered});
  };
  const auto one = with(1);
  for (const unsigned threads : {2u, 5u}) {
    const auto more = with(threads);
    CHECK(std::equal(one.data(), one.data() + of.m * of.n, more.data()));
  }
  const auto few_rows = matmul(matrix_view<TestType>(of.left.data(), 100, of.k), of.second(),
                               {.run = {.device = device_choice::cpu}, .kind = product_kind::ordered});
  CHECK(std::equal(few_rows.data(), few_rows.data() + 100 * of.n, one.data()));
}

TEMPLATE_TEST_CASE("matmul of whole numbers is exact on both sides of where workers share it", "[matmul]",
                   float, double) {
  std::mt19937_64 random(test::seed());
  for (const std::uint64_t m : {300u, 1031u}) {
    factors<TestType> of(m, 513, 515, random);
    for (TestType& one : of.left) one = std::round(one * 3);
    for (TestType& one : of.right) one = std::round(one * 3);
    const auto product = matmul(of.first(), of.second(), {.run = {.device = device_choice::cpu}});
    // Freivalds' check: both sides times a random vector. A wrong product hardly ever passes.
    std::vector<double> some(of.n), of_right(of.k);
    for (double& one : some) one = static_cast<double>(random() % 1024);
    for (std::uint64_t t = 0; t < of.k; ++t) {
      for (std::uint64_t j = 0; j < of.n; ++j)
        of_right[t] += static_cast<double>(of.right[t * of.n + j]) * some[j];
    }
    for (std::uint64_t i = 0; i < of.m; ++i) {
      double wanted = 0, found = 0;
      for (std::uint64_t t = 0; t < of.k; ++t)
        wanted += static_cast<double>(of.left[i * of.k + t]) * of_right[t];
      for (std::uint64_t j = 0; j < of.n; ++j) found += static_cast<double>(product.row(i)[j]) * some[j];
      REQUIRE(found == wanted);
    }
  }
}

// Computes some columns of the product alone, as for a right factor larger than the memory of GPUs.
template <class T>
void check_columns(device_choice device) {
  std::mt19937_64 random(test::seed());
  const factors<T> of(333, 70, 91, random);
  const auto whole =
      matmul(of.first(), of.second(), {.run = {.device = device_choice::cpu}, .kind = product_kind::ordered});
  std::vector<T> product(of.m * of.n, 17);
  constexpr std::uint64_t first = 13;
  constexpr std::uint64_t columns = 40;
  const row_product<T> task{.right = {of.right.data() + first, of.n},
                            .out = {product.data() + first, of.n},
                            .terms = static_cast<std::uint32_t>(of.k),
                            .columns = columns,
                            .rows_per_grain = 50,
                            .kind = product_kind::ordered};
  static_cast<void>(run(task, view_input(of.first().bytes()), {.device = device}));
  for (std::uint64_t i = 0; i < of.m; ++i) {
    for (std::uint64_t j = 0; j < of.n; ++j) {
      const bool there = j >= first && j < first + columns;
      REQUIRE(product[i * of.n + j] == (there ? whole.row(i)[j] : T{17}));
    }
  }
}

TEMPLATE_TEST_CASE("matmul writes some of the columns and nothing else", "[matmul]", float, double) {
  check_columns<TestType>(device_choice::cpu);
}

TEMPLATE_TEST_CASE("matmul on a GPU writes some of the columns and nothing else", "[matmul][gpu]", float,
                   double) {
  if (test::no_gpu()) return;
  check_columns<TestType>(device_choice::gpu);
}

TEST_CASE("matmul says which sizes do not fit", "[matmul]") {
  const std::vector<float> numbers(20);
  const matrix_view<float> wide(numbers.data(), 2, 5);
  const matrix_view<float> high(numbers.data(), 4, 5);
  CHECK_THROWS_AS(matmul(wide, high), usage_error);
  CHECK_THROWS_WITH(matmul(wide, high), test::contains("2 x 5") && test::contains("4 x 5"));
  std::vector<float> small(3);
  const matrix_view<float> fits(numbers.data(), 5, 2);
  CHECK_THROWS_WITH(matmul<float>(wide, fits, small),
                    test::contains("2 x 2") && test::contains("room for 3"));
}

TEST_CASE("matmul of nothing is empty and of no terms zero", "[matmul]") {
  const matrix_view<float> none(nullptr, 0, 3);
  const std::vector<float> numbers(12, 1.0f);
  CHECK(matmul(none, matrix_view<float>(numbers.data(), 3, 4)).rows() == 0);
  const auto zero =
      matmul(matrix_view<float>(numbers.data(), 2, 0), matrix_view<float>(numbers.data(), 0, 3));
  CHECK(zero.rows() == 2);
  CHECK(zero.row(1)[2] == 0.0f);
}

TEST_CASE("matmul lets NaN and infinity through", "[matmul]") {
  std::vector<float> left(64, 1.0f);
  left[9] = std::numeric_limits<float>::quiet_NaN();
  left[17] = std::numeric_limits<float>::infinity();
  const std::vector<float> right(64, 1.0f);
  const auto product = matmul(matrix_view<float>(left.data(), 8, 8), matrix_view<float>(right.data(), 8, 8));
  CHECK(std::isnan(product.row(1)[0]));
  CHECK(std::isinf(product.row(2)[3]));
  CHECK(product.row(0)[0] == 8.0f);
}

TEMPLATE_TEST_CASE("matmul on a GPU is right for any sizes, and in order has the bits of the CPU",
                   "[matmul][gpu][sanitize]", float, double) {
  if (test::no_gpu()) return;
  std::mt19937_64 random(test::seed());
  for (int round = 0; round < 4; ++round) {
    const factors<TestType> of(1 + random() % 900, 1 + random() % 150, 1 + random() % 150, random);
    CAPTURE(of.m, of.k, of.n);
    for (const auto device : {device_choice::gpu, device_choice::cpu_gpu}) {
      std::vector<TestType> product(of.m * of.n, std::numeric_limits<TestType>::quiet_NaN());
      matmul<TestType>(of.first(), of.second(), product, {.run = {.device = device}});
      CHECK(worst_error<TestType>(of, product) <= 1);
      const auto ordered =
          matmul(of.first(), of.second(), {.run = {.device = device}, .kind = product_kind::ordered});
      const auto on_cpu = matmul(of.first(), of.second(),
                                 {.run = {.device = device_choice::cpu}, .kind = product_kind::ordered});
      CHECK(std::equal(ordered.data(), ordered.data() + of.m * of.n, on_cpu.data()));
    }
  }
}

TEST_CASE("matmul on a GPU places more tiles than it has", "[matmul][gpu]") {
  if (test::no_gpu()) return;
  std::mt19937_64 random(test::seed());
  // Factors of 3 MB give a product of 96 MB: several tiles for each chunk, and pieces that end within rows.
  const factors<float> of(6007, 61, 4001, random);
  const auto with = [&](device_choice device) {
    return matmul(of.first(), of.second(), {.run = {.device = device}, .kind = product_kind::ordered});
  };
  const auto on_cpu = with(device_choice::cpu);
  for (const auto device : {device_choice::gpu, device_choice::cpu_gpu}) {
    const auto product = with(device);
    CHECK(std::equal(product.data(), product.data() + of.m * of.n, on_cpu.data()));
  }
}

TEST_CASE("matmul with TF32 on a GPU is as near as eleven bits allow", "[matmul][gpu]") {
  if (test::no_gpu()) return;
  std::mt19937_64 random(test::seed());
  const factors<float> of(300, 200, 100, random);
  const auto product =
      matmul(of.first(), of.second(), {.run = {.device = device_choice::gpu}, .kind = product_kind::tf32});
  // TF32 rounds each factor by up to 2^-11, that is 2 * 8192 times the error of 2^-24 that worst_error()
  // allows for each of 200 terms.
  CHECK(worst_error<float>(of, {product.data(), of.m * of.n}) <= 2 * 8192.0 / 200 + 1);
  // The next product uses the cuBLAS handle that the TF32 product has left.
  const auto plain = matmul(of.first(), of.second(), {.run = {.device = device_choice::gpu}});
  CHECK(worst_error<float>(of, {plain.data(), of.m * of.n}) <= 1);
}

}  // namespace duomap::numeric_matmul_matmul_test
