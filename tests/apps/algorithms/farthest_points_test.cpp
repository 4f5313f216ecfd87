// Points that are farthest from their centres: against a plain search of all.
#include "apps/algorithms/kmeans/farthest_points.hpp"

#include "tests/catch.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

namespace duomap::test::apps_algorithms_farthest_points_test {
namespace {

/// A step over centres, with what it views.
template <class T>
struct some_step {
  some_step(const std::vector<T>& centres, std::uint32_t columns, T shifted)
    : shift(columns, shifted), rounders(columns, 0x1.8p52 * 0x1p-20) {
    for (std::size_t i = 0; i < centres.size(); ++i) negative.push_back(shifted - centres[i]);
    for (std::size_t c = 0; c < centres.size() / columns; ++c) {
      double square = 0;
      for (std::uint32_t d = 0; d < columns; ++d)
        square += std::pow(static_cast<double>(negative[c * columns + d]), 2);
      half_squares.push_back(static_cast<T>(square / 2));
    }
    step.dimensions = columns;
    step.shift = {shift.data(), shift.size()};
    step.rounders = {rounders.data(), rounders.size()};
    step.negative_centres = {negative.data(), negative.size()};
    step.half_squares = {half_squares.data(), half_squares.size()};
  }

  std::vector<T> shift;
  std::vector<double> rounders;
  std::vector<T> negative;
  std::vector<T> half_squares;
  lloyd_step<T> step;
};

template <class T>
void check_like_a_plain_search(const std::vector<T>& values, std::uint32_t columns, const lloyd_step<T>& step,
                               std::uint64_t count) {
  std::vector<far_point> all;
  for (std::uint64_t r = 0; r < values.size() / columns; ++r) {
    const T* const point = values.data() + r * columns;
    const std::uint32_t centre = step.nearest(point);
    double square = 0;
    for (std::uint32_t d = 0; d < columns; ++d) {
      const double difference = static_cast<double>(point[d] - step.shift[d]) +
                                static_cast<double>(step.negative_centres[centre * columns + d]);
      square += difference * difference;
    }
    if (square > 0) all.push_back({square, r, centre});
  }
  std::ranges::sort(all, [](const far_point& a, const far_point& b) {
    return a.square != b.square ? a.square > b.square : a.row < b.row;
  });
  all.resize(std::min<std::uint64_t>(all.size(), count));
  threaded_pool pool(3);
  const auto found =
      farthest_points(matrix_view<T>(std::span<const T>(values), columns), step, count, pool, nullptr);
  REQUIRE(found.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(columns, count, i);
    CHECK(found[i].row == all[i].row);
    CHECK(found[i].centre == all[i].centre);
    CHECK(found[i].square == all[i].square);
  }
}

template <class T>
void check_type() {
  std::mt19937 random(static_cast<std::uint32_t>(seed()));
  std::uniform_real_distribution<double> spread(-1, 1);
  const bool quick = std::getenv("DUOMAP_QUICK") != nullptr;  // tests/CMakeLists.txt
  for (const std::uint32_t columns : {1u, 3u, 16u, 37u}) {
    for (const double far_away : {0.0, 1e6}) {
      const std::uint64_t rows = (quick ? 40'000u : 400'000u) / columns;
      std::vector<T> values(rows * columns);
      for (T& one : values) one = static_cast<T>(spread(random) + far_away);
      // A few groups of their own, and rows that are there twice: equally far.
      for (std::uint64_t r = 0; r < rows; r += 97) values[r * columns] += static_cast<T>(r % 5 * 10);
      for (std::uint64_t r = rows / 2; r < rows / 2 + 100; ++r)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>((r - rows / 2) * columns), columns,
                    values.begin() + static_cast<std::ptrdiff_t>(r * columns));
      for (const std::uint32_t centres : {1u, 7u}) {
        std::vector<T> at;
        for (std::uint32_t i = 0; i < centres * columns; ++i)
          at.push_back(static_cast<T>(spread(random) + far_away));
        const some_step<T> with(at, columns, static_cast<T>(far_away));
        for (const std::uint64_t count : {1u, 2u, 50u, 3000u})
          check_like_a_plain_search(values, columns, with.step, count);
      }
    }
  }
}

}  // namespace

TEST_CASE("farthest points: those of a plain search, of floats and of doubles", "[kmeans]") {
  check_type<float>();
  check_type<double>();
}

TEST_CASE("farthest points: points on their centres are none of them", "[kmeans]") {
  const std::vector<float> values{1, 2, 2, 1, 1, 2};
  const some_step<float> with({1, 2}, 1, 0.0f);
  check_like_a_plain_search(values, 1, with.step, 4);
  check_like_a_plain_search<float>({1, 2, 4, 1, 1, 2}, 1, with.step, 4);
}

}  // namespace duomap::test::apps_algorithms_farthest_points_test
