// Tests the extremes of the columns that k-means clusters, by records and by chunks, also with NaN and
// infinity.
#include "numeric/kmeans/column_extremes.hpp"

#include "core/verify/verify.hpp"
#include "duomap.hpp"
#include "numeric/tests/kmeans/kmeans_points.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace duomap::test::numeric_kmeans_column_extremes_test {
namespace {

using numeric_kmeans_kmeans_test::synthetic;
using numeric_kmeans_kmeans_test::view_of;

template <class T>
struct found_extremes {
  std::vector<T> least, most;
};

template <class T>
found_extremes<T> extremes_of(const std::vector<T>& values, std::uint32_t columns) {
  const column_extremes<T> task{columns};
  const input from = view_input(view_of(values, columns).bytes(), "points");
  CHECK_NOTHROW(static_cast<void>(verify(task, from)));
  const auto found = run(task, from, {.device = device_choice::cpu});
  found_extremes<T> all;
  for (std::uint32_t c = 0; c < columns; ++c) {
    all.most.push_back(column_extremes<T>::number_of(found[c]));
    all.least.push_back(column_extremes<T>::number_of(~found[columns + c]));
  }
  return all;
}

}  // namespace

TEMPLATE_TEST_CASE("k-means: the extremes of all columns", "[kmeans]", float, double) {
  CAPTURE(seed());
  for (const std::uint32_t columns : {1u, 2u, 3u, 8u, 31u, 32u, 33u, 100u}) {
    for (const std::uint64_t rows : {1u, 2u, 63u, 64u, 3001u}) {
      CAPTURE(columns, rows);
      const std::vector<TestType> values = synthetic<TestType>(rows, columns, 3, seed());
      const found_extremes<TestType> found = extremes_of(values, columns);
      for (std::uint32_t c = 0; c < columns; ++c) {
        TestType least = values[c], most = values[c];
        for (std::uint64_t r = 0; r < rows; ++r) {
          least = std::min(least, values[r * columns + c]);
          most = std::max(most, values[r * columns + c]);
        }
        REQUIRE(found.least[c] == least);
        REQUIRE(found.most[c] == most);
      }
    }
  }
  const std::vector<TestType> negative{-3, -1, -2};
  CHECK(extremes_of(negative, 1).least[0] == -3);
  CHECK(extremes_of(negative, 1).most[0] == -1);
}

TEMPLATE_TEST_CASE("k-means: extremes show what is no finite number", "[kmeans]", float, double) {
  constexpr TestType infinity = std::numeric_limits<TestType>::infinity();
  for (const TestType bad : {std::numeric_limits<TestType>::quiet_NaN(),
                             -std::numeric_limits<TestType>::quiet_NaN(), infinity, -infinity}) {
    for (std::size_t place = 0; place < 10; ++place) {
      CAPTURE(bad, place);
      std::vector<TestType> values{4, 1, 8, 2, -9, 7, 0, 3, 5, 6};
      values[place] = bad;
      const auto finite_columns = [&](const auto& found) {
        return std::isfinite(found.least[0]) && std::isfinite(found.most[0]);
      };
      CHECK_FALSE(finite_columns(extremes_of(values, 1)));
      // Finds the extremes record by record, as a device without instructions for whole chunks does.
      using order = typename column_extremes<TestType>::order;
      order most = std::numeric_limits<order>::min(), least = most;
      auto keep = [&](std::uint64_t key, order value) {
        (key == 0 ? most : least) = std::max(key == 0 ? most : least, value);
      };
      for (std::size_t i = 0; i < values.size(); ++i)
        column_extremes<TestType>{1}.map(row<TestType>{&values[i], 1, i}, keep);
      const bool finite = std::isfinite(column_extremes<TestType>::number_of(most)) &&
                          std::isfinite(column_extremes<TestType>::number_of(~least));
      CHECK_FALSE(finite);
    }
  }
}

}  // namespace duomap::test::numeric_kmeans_column_extremes_test
