// Tests the bound of distances from products of rounded rows, with sums that are as wrong as the bound
// allows.
#include "numeric/knn/product_bound.hpp"

#include "numeric/knn/distance.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace duomap::test::numeric_knn_product_bound_test {
namespace {

/// Rounds to 11 significant bits, to nearest.
float rounded(float value) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 0x1000u) & ~0x1FFFu);
}

struct product_sum {
  float sum;
  float query_square;
};

/// Adds up as a GPU does: eight products at once, cut off at 2^-20 of the largest.
product_sum sum_of_products(const std::vector<float>& row, const std::vector<float>& query,
                            const std::vector<float>& centre) {
  float row_squares[4] = {};
  float query_squares[4] = {};
  float product = 0;
  for (std::size_t first = 0; first < row.size(); first += 8) {
    double eight = product;
    double largest = std::abs(product);
    for (std::size_t c = first; c < std::min(first + 8, row.size()); ++c) {
      const float x = rounded(row[c] - centre[c]);
      const float q = rounded(query[c] - centre[c]);
      row_squares[c % 4] += x * x;
      query_squares[c % 4] += q * q;
      eight += static_cast<double>(x) * q;
      largest = std::max(largest, std::abs(static_cast<double>(x) * q));
    }
    product = static_cast<float>(eight - std::copysign(largest * 0x1p-20, eight));
  }
  const float row_square = (row_squares[0] + row_squares[1]) + (row_squares[2] + row_squares[3]);
  const float query_square = (query_squares[0] + query_squares[1]) + (query_squares[2] + query_squares[3]);
  return {std::max(0.0f, row_square - 2 * product + query_square), query_square};
}

/// Checks the bound for rows around `place`, and for queries about `near` away from a row.
void check_bound(std::size_t columns, float place, float scale, float near, std::mt19937& random) {
  CAPTURE(columns, place, scale, near);
  std::normal_distribution<float> number(0, 1);
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<float> row(columns);
    std::vector<float> query(columns);
    const std::vector<float> centre(columns, place);
    for (std::size_t c = 0; c < columns; ++c) {
      row[c] = place + scale * number(random);
      query[c] = row[c] + scale * near * number(random);
    }
    const auto count = static_cast<std::uint32_t>(columns);
    const double distance = squared_distance(row.data(), query.data(), count);
    const product_sum found = sum_of_products(row, query, centre);
    const product_bound bound(count, found.query_square);
    CAPTURE(distance, found.sum);
    CHECK(distance <= bound.most_distance(found.sum));
    CHECK(static_cast<double>(found.sum) <= bound.most_sum(distance));
    CHECK(bound.holds(distance));
    // The bound is tight: rows as far from each other as from the centre get it within a hundredth.
    if (near >= 1 && scale > 1e-10f && columns > 1 && columns < 1000)
      CHECK(bound.most_distance(found.sum) < 1.01 * distance);
  }
}

}  // namespace

TEST_CASE("a row is no farther and no nearer than the product of rounded rows says") {
  std::mt19937 random(seed());
  for (const std::size_t columns : {1u, 16u, 100u, 784u, 5000u}) {
    for (const float place : {0.0f, 1.0f, -10'000.0f}) {
      for (const float near : {0.0f, 1e-5f, 1e-2f, 1.0f, 100.0f})
        check_bound(columns, place, 1, near, random);
    }
    check_bound(columns, 0, 1e-22f, 1, random);
    check_bound(columns, 0, 1e15f, 1, random);
  }
}

TEST_CASE("squares that are too large for products are known") {
  CHECK(product_bound(10, 1e30).holds(1e36));
  CHECK(!product_bound(10, 1e30).holds(1e38));
  CHECK(!product_bound(10, HUGE_VAL).holds(1));
}

}  // namespace duomap::test::numeric_knn_product_bound_test
