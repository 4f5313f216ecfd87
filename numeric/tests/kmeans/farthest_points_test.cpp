// Tests that the farthest points from their centres are those of a plain search.
#include "numeric/kmeans/farthest_points.hpp"

#include "core/resident_loop.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"
#include "numeric/common/matrix.hpp"
#include "numeric/tests/kmeans/kmeans_points.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"
#include "tests/support/quick.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace duomap::test::numeric_kmeans_farthest_points_test {
namespace {

using namespace numeric_kmeans_kmeans_test;

/// A step over centres, and the arrays to which it refers.
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
                               const std::vector<std::uint64_t>& counts) {
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
  const matrix_view<T> points(std::span<const T>(values), columns);
  const farthest_in_groups<T> task(step, points.rows);
  const auto groups = run(task, view_input(points.bytes(), "points"), {.device = device_choice::cpu});
  threaded_pool pool(3);
  for (const std::uint64_t count : counts) {
    const auto found = farthest_points(points, task, groups, count, pool, nullptr);
    REQUIRE(found.size() == std::min<std::uint64_t>(all.size(), count));
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(columns, count, i);
      CHECK(found[i].row == all[i].row);
      CHECK(found[i].centre == all[i].centre);
      CHECK(found[i].square == all[i].square);
    }
  }
}

template <class T>
void check_type() {
  std::mt19937 random(static_cast<std::uint32_t>(seed()));
  std::uniform_real_distribution<double> spread(-1, 1);
  for (const std::uint32_t columns : {1u, 3u, 16u, 37u}) {
    for (const double far_away : {0.0, 1e6}) {
      const std::uint64_t rows = (quick() ? 40'000u : 400'000u) / columns;
      std::vector<T> values(rows * columns);
      for (T& one : values) one = static_cast<T>(spread(random) + far_away);
      // Some rows are far away, and some occur twice, so that equally far rows exist.
      for (std::uint64_t r = 0; r < rows; r += 97) values[r * columns] += static_cast<T>(r % 5 * 10);
      for (std::uint64_t r = rows / 2; r < rows / 2 + 100; ++r)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>((r - rows / 2) * columns), columns,
                    values.begin() + static_cast<std::ptrdiff_t>(r * columns));
      for (const std::uint32_t centres : {1u, 7u}) {
        std::vector<T> at;
        for (std::uint32_t i = 0; i < centres * columns; ++i)
          at.push_back(static_cast<T>(spread(random) + far_away));
        const some_step<T> with(at, columns, static_cast<T>(far_away));
        check_like_a_plain_search(values, columns, with.step, {1, 2, 50, 3000});
      }
    }
  }
}

}  // namespace

TEST_CASE("farthest points: those of a plain search, of floats and of doubles", "[kmeans]") {
  check_type<float>();
  check_type<double>();
}

TEMPLATE_TEST_CASE("farthest points: their groups keep the laws of a task", "[kmeans]", float, double) {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> spread(-1, 1);
  std::vector<TestType> values(1003 * 5);
  for (TestType& one : values) one = static_cast<TestType>(spread(random));
  const some_step<TestType> with({-0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0}, 5, TestType{0});
  const matrix_view<TestType> points(std::span<const TestType>(values), 5);
  const farthest_in_groups<TestType> task(with.step, points.rows);
  CHECK(task.groups == 4);
  CHECK_NOTHROW(static_cast<void>(verify(task, view_input(points.bytes(), "points"))));
}

TEST_CASE("farthest points: a GPU finds the same in its groups as the CPU", "[gpu][sanitize][kmeans]") {
  if (no_gpu()) return;
  CAPTURE(seed());
  std::mt19937 random(seed());
  std::uniform_real_distribution<float> spread(-1, 1);
  // One size exceeds the points that a GPU takes at a time, in the middle of a group.
  for (const auto& [rows, columns, centres] : {std::array{1u, 1u, 1u}, std::array{2'100'003u, 3u, 2u},
                                               std::array{5001u, 32u, 7u}, std::array{777u, 41u, 300u}}) {
    CAPTURE(rows, columns, centres);
    std::vector<float> values(std::uint64_t{rows} * columns), at(std::uint64_t{centres} * columns);
    for (float& one : values) one = spread(random);
    for (float& one : at) one = spread(random);
    const some_step<float> with(at, columns, 0.25f);
    const matrix_view<float> points(std::span<const float>(values), columns);
    const farthest_in_groups<float> task(with.step, points.rows);
    const auto expected = run(task, view_input(points.bytes(), "points"), {.device = device_choice::cpu});
#if DUOMAP_HAS_CUDA
    // Holds the second half of the points first, and then all.
    const auto loop = gpu::make_resident(task, {}, 0);
    for (const std::uint64_t first : {points.rows / 2, std::uint64_t{0}}) {
      const std::uint64_t before = first * columns * sizeof(float);
      loop->hold(
          {.data = points.bytes().data + before, .size = points.bytes().size - before, .offset = before});
      const auto found = loop->step(task);
      for (std::uint64_t g = 0; g < task.groups; ++g) {
        CAPTURE(first, g);
        REQUIRE(found.present(g) == ((g + 1) * task.rows_of_group > first));
        if (g * task.rows_of_group >= first) REQUIRE(found[g] == expected[g]);
      }
    }
#endif
  }
}

TEST_CASE("k-means: GPU and CPU give clusters without points the same ones", "[gpu][sanitize][kmeans]") {
  if (no_gpu()) return;
  CAPTURE(seed());
  for (const std::uint32_t columns : {1u, 3u, 17u, 32u}) {
    CAPTURE(columns);
    const std::vector<float> values = synthetic<float>(30'011, columns, 40, seed());
    // The second half of the centres is so far away that no point is nearest to them.
    std::vector<double> start = first_rows(values, columns, 40);
    std::fill(start.begin() + static_cast<std::ptrdiff_t>(20 * columns), start.end(), 1e4);
    kmeans_options options{.clusters = 40,
                           .start = kmeans_start::given,
                           .initial = {start.data(), 40, columns},
                           .max_iterations = 5,
                           .tolerance = 0,
                           .labels = true};
    expect_same_on_devices(view_of(values, columns), options);
  }
}

TEST_CASE("farthest points: points on their centres are none of them", "[kmeans]") {
  const std::vector<float> values{1, 2, 2, 1, 1, 2};
  const some_step<float> with({1, 2}, 1, 0.0f);
  check_like_a_plain_search(values, 1, with.step, {4});
  check_like_a_plain_search<float>({1, 2, 4, 1, 1, 2}, 1, with.step, {4});
}

}  // namespace duomap::test::numeric_kmeans_farthest_points_test
