// Tests k-means with ties between centres, and its exact means.
#include "numeric/kmeans/exact_means.hpp"

#include "cpu/machine_pool.hpp"
#include "numeric/kmeans/kmeans.hpp"
#include "numeric/kmeans/moving_centres.hpp"
#include "numeric/tests/kmeans/kmeans_points.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <span>
#include <vector>

namespace duomap::test::numeric_kmeans_kmeans_test {

TEMPLATE_TEST_CASE("k-means: of equally near centres the first is taken where numbers have few digits",
                   "[kmeans]", float, double) {
  CAPTURE(seed());
  std::mt19937 random(seed());
  sequential alone;
  const auto check = [&](const std::vector<TestType>& points, const std::vector<double>& centres,
                         std::uint32_t columns) {
    const matrix_view<TestType> view = view_of(points, columns);
    point_grid<TestType> grid = grid_of(view, alone);
    std::vector<double> first = centres;
    for (std::size_t i = 0; i < first.size(); ++i) first[i] -= static_cast<double>(grid.shift[i % columns]);
    const auto count = static_cast<std::uint32_t>(centres.size() / columns);
    moving_centres<TestType> moving(std::move(grid), count, std::move(first));
    std::vector<std::uint32_t> labels(view.rows);
    const byte_view bytes = view.bytes();
    moving.step(false).find_nearest({.data = bytes.data, .size = bytes.size}, labels.data());
    for (std::uint64_t row = 0; row < view.rows; ++row) {
      std::uint32_t nearest = 0;
      double smallest = std::numeric_limits<double>::infinity();
      for (std::uint32_t c = 0; c < count; ++c) {
        double square = 0;
        for (std::uint32_t d = 0; d < columns; ++d) {
          const double less = static_cast<double>(view.row(row)[d]) - centres[c * columns + d];
          square += less * less;
        }
        if (square < smallest) nearest = c;
        smallest = std::min(smallest, square);
      }
      CAPTURE(row, columns);
      CHECK(labels[row] == nearest);
    }
  };
  check({1, 1, 2, 2, 8, 2}, {0, 2, 4, 2}, 2);
  for (int round = 0; round < 50; ++round) {
    const std::uint32_t columns = 1 + static_cast<std::uint32_t>(random()) % 5;
    std::vector<TestType> points(columns * 40);
    std::vector<double> centres(columns * 6);
    const int offset = static_cast<int>(random() % 1000);
    for (TestType& one : points) one = static_cast<TestType>(offset + static_cast<int>(random() % 9));
    for (double& one : centres) one = offset + static_cast<int>(random() % 9);
    check(points, centres, columns);
  }
}

TEMPLATE_TEST_CASE("k-means: means of whole numbers are exact", "[kmeans]", float, double) {
  const std::vector<TestType> points{2, 8};
  CHECK(kmeans(view_of(points, 1), {.clusters = 1}).centers.row(0)[0] == 5);
  const std::vector<TestType> apart{1, 1, 2, 2, 8, 2};
  const kmeans_result found = kmeans(view_of(apart, 2), {.clusters = 3, .tolerance = 0});
  CHECK(found.inertia == 0);
  std::set<std::pair<double, double>> centres;
  for (std::uint32_t c = 0; c < 3; ++c) centres.emplace(found.centers.row(c)[0], found.centers.row(c)[1]);
  CHECK(centres == std::set<std::pair<double, double>>{{1, 1}, {2, 2}, {8, 2}});
}

TEST_CASE("k-means: centres of doubles are the means of their points, rounded once", "[kmeans]") {
  // Centres must be the nearest doubles to the exact means. A cluster of one point must have this point.
  const std::vector<double> points = {0.1, 1e-9, 0.2, 3e-9, 0.3, 1e-9, 7.7, 6.3, 1e-7, 5.1};
  const std::vector<double> initial = {0.2, 0, 7.7, 6.3, 0, 5.1};
  kmeans_options options{.clusters = 3,
                         .start = kmeans_start::given,
                         .initial = matrix_view<double>(initial, 2),
                         .tolerance = 0};
  for (const unsigned workers : {1U, 3U}) {
    threaded_pool pool(workers);
    const kmeans_result found = kmeans(matrix_view<double>(points, 2), options, pool);
    CHECK(found.sizes == std::vector<std::uint64_t>{3, 1, 1});
    CHECK(found.centers.row(0)[0] == 0.2);
    CHECK(found.centers.row(0)[1] == 1.6666666666666667e-09);
    CHECK(found.centers.row(1)[0] == 7.7);
    CHECK(found.centers.row(1)[1] == 6.3);
    CHECK(found.centers.row(2)[0] == 1e-7);
    CHECK(found.centers.row(2)[1] == 5.1);
  }
}

TEST_CASE("exact means: signs, sizes, and columns of any scale", "[kmeans]") {
  threaded_pool pool(3);
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  const std::vector<double> points = {-1, huge, tiny, 0, 2, -huge, 3 * tiny, 0, 0, huge, -tiny, 0};
  const std::vector<std::uint32_t> clusters = {0, 0, 2};
  const duomap::matrix<double> means =
      exact_means(matrix_view<double>(points, 4), clusters, 3, pool, nullptr);
  const std::vector<double> expected = {0.5, 0, 2 * tiny, 0, 0, 0, 0, 0, 0, huge, -tiny, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(means.data()[i] == expected[i]);
  }
}

}  // namespace duomap::test::numeric_kmeans_kmeans_test
