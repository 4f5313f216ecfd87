// Tests k-means against a plain loop: laws, degenerate inputs, and the same bits for any devices and workers.
#include "numeric/kmeans/kmeans.hpp"

#include "core/error.hpp"
#include "core/verify/verify.hpp"
#include "cpu/features.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/kmeans/first_centres.hpp"
#include "numeric/kmeans/moving_centres.hpp"
#include "numeric/kmeans/vector_step.hpp"
#include "numeric/tests/kmeans/kmeans_points.hpp"
#include "numeric/tests/kmeans/plain_step.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <span>
#include <vector>

namespace duomap::test::numeric_kmeans_kmeans_test {
TEST_CASE("k-means: as a plain loop does it", "[kmeans]") {
  for (const std::uint32_t columns : {1u, 2u, 3u, 4u, 5u, 8u, 9u, 16u, 31u, 32u, 33u, 64u}) {
    expect_plain_iterations<float>(2003, columns, 7, 0);
    expect_plain_iterations<double>(1001, columns, 13, 0);
  }
  expect_plain_iterations<float>(500, 200, 20, 0);
  expect_plain_iterations<float>(9001, 3, 100, 0);
  expect_plain_iterations<double>(3001, 3, 5, 1e6);
}

TEST_CASE("k-means: data far from the origin loses no digits", "[kmeans]") {
  CAPTURE(seed());
  // These numbers are on the grid of floats near 10,000, so that shifting them rounds nothing.
  std::vector<float> near = synthetic<float>(5000, 3, 10, seed()), far(near.size());
  for (std::size_t i = 0; i < near.size(); ++i) {
    near[i] = std::round(near[i] * 1024) / 1024;
    far[i] = near[i] + 1e4f;
    REQUIRE(far[i] - 1e4f == near[i]);
  }
  std::vector<double> start = first_rows(near, 3, 10), far_start = first_rows(far, 3, 10);
  kmeans_options options{
      .clusters = 10, .start = kmeans_start::given, .tolerance = 0, .run = {.device = device_choice::cpu}};
  options.initial = {start.data(), 10, 3};
  const kmeans_result at_origin = kmeans(view_of(near, 3), options);
  options.initial = {far_start.data(), 10, 3};
  const kmeans_result far_away = kmeans(view_of(far, 3), options);
  CHECK(at_origin.sizes == far_away.sizes);
  CHECK(far_away.inertia == Approx(at_origin.inertia).epsilon(1e-6));
  for (std::size_t i = 0; i < 30; ++i)
    CHECK(std::abs(far_away.centers.data()[i] - 1e4 - at_origin.centers.data()[i]) < 2e-5);
}

TEST_CASE("k-means: inertia never rises from iteration to iteration", "[kmeans]") {
  CAPTURE(seed());
  const std::vector<float> values = synthetic<float>(3000, 5, 30, seed());
  double before = std::numeric_limits<double>::infinity();
  for (std::uint32_t iterations = 1; iterations < 12; ++iterations) {
    const kmeans_result found = kmeans(view_of(values, 5), {.clusters = 12,
                                                            .start = kmeans_start::random,
                                                            .max_iterations = iterations,
                                                            .tolerance = 0,
                                                            .seed = seed(),
                                                            .run = {.device = device_choice::cpu}});
    CAPTURE(iterations);
    CHECK(found.inertia <= before * (1 + 1e-9));
    before = found.inertia;
  }
}

TEST_CASE("k-means: the same bits with any threads and vector instructions", "[kmeans]") {
  CAPTURE(seed());
  const std::vector<float> values = synthetic<float>(20'011, 6, 9, seed());
  const kmeans_options options{
      .clusters = 9, .tolerance = 0, .seed = seed(), .labels = true, .run = {.device = device_choice::cpu}};
  sequential alone;
  const kmeans_result expected = kmeans(view_of(values, 6), options, alone);
  for (const unsigned threads : {2u, 3u, 8u}) {
    threaded_pool pool(threads);
    CAPTURE(threads);
    CHECK(same_bits(kmeans(view_of(values, 6), options, pool), expected));
  }
}

namespace {

template <class T>
std::vector<const kmeans_paths::path<T>*> paths_of() {
  std::vector<const kmeans_paths::path<T>*> paths{&kmeans_paths::portable(T{}), &kmeans_paths::active<T>()};
#if defined(__x86_64__)
  if (cpu::best_vector_path() >= cpu::vector_path::avx2) paths.push_back(&kmeans_paths::avx2(T{}));
#endif
  return paths;
}

}  // namespace

TEMPLATE_TEST_CASE("k-means: a step by every vector path and by records", "[kmeans]", float, double) {
  using number = TestType;
  for (const std::uint32_t columns : {1u, 3u, 4u, 7u, 8u, 17u, 32u}) {
    for (const std::uint32_t clusters : {1u, 2u, 5u, 23u}) {
      for (const std::uint64_t rows : {1u, 3u, 63u, 64u, 65u, 777u}) {
        CAPTURE(columns, clusters, rows, seed());
        const std::vector<number> values =
            synthetic<number>(std::max<std::uint64_t>(rows, clusters), columns, 4, seed());
        const matrix_view<number> points{values.data(), rows, columns};
        sequential alone;
        std::vector<double> centres = first_rows(values, columns, clusters);
        // The first and the last centre are equal, and the first one must win.
        if (clusters > 1) std::copy_n(centres.begin(), columns, centres.end() - columns);
        point_grid<number> grid = grid_of(points, alone);
        for (std::size_t i = 0; i < centres.size(); ++i)
          centres[i] -= static_cast<double>(grid.shift[i % columns]);
        moving_centres<number> moving(std::move(grid), clusters, centres);
        const lloyd_step<number> step = moving.step(true);
        std::vector<std::int64_t> by_records(step.key_count()), by_chunk(step.key_count());
        const auto into = [](std::vector<std::int64_t>& sums) {
          return [&sums](std::uint64_t key, std::int64_t value) {
            sums[key] += value;
          };
        };
        auto each = into(by_records), whole = into(by_chunk);
        std::vector<std::uint32_t> nearest(rows);
        for (std::uint64_t r = 0; r < rows; ++r) {
          step.map(row<number>{points.row(r).data(), columns, r}, each);
          nearest[r] = step.nearest(points.row(r).data());
        }
        step.map_chunk({.data = points.bytes().data, .size = points.bytes().size}, whole);
        CHECK(by_chunk == by_records);

        std::vector<number> shift(columns + 8);
        std::copy_n(step.shift.data, columns, shift.begin());
        const kmeans_paths::setting<number> with{
            columns, clusters, shift.data(), nullptr, step.negative_centres.data, step.half_squares.data};
        for (const auto* path : paths_of<number>()) {
          CAPTURE(path->tile_points);
          std::vector<number> tile(std::uint64_t{path->tile_points} * columns);
          std::vector<std::uint32_t> found(rows);
          path->find_nearest(with, points.data, rows, tile.data(), found.data());
          CHECK(found == nearest);
        }
      }
    }
  }
}

TEMPLATE_TEST_CASE("k-means++: distances by every vector path have the same bits", "[kmeans]", float,
                   double) {
  using number = TestType;
  CAPTURE(seed());
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> spread(-1, 1);
  for (const std::uint32_t columns : {1u, 3u, 32u}) {
    std::vector<number> point(columns), block(std::uint64_t{columns} * kmeans_paths::rows_of_block);
    for (number& one : point) one = static_cast<number>(spread(random));
    for (number& one : block) one = static_cast<number>(spread(random));
    for (const auto* path : paths_of<number>()) {
      CAPTURE(columns, path->tile_points);
      number found[kmeans_paths::rows_of_block];
      path->squares_to(point.data(), columns, block.data(), found);
      for (std::uint32_t r = 0; r < kmeans_paths::rows_of_block; ++r) {
        number expected = 0;
        for (std::uint32_t c = 0; c < columns; ++c) {
          const number less = block[c * kmeans_paths::rows_of_block + r] - point[c];
          expected = std::fma(less, less, expected);
        }
        CHECK(found[r] == expected);
      }
    }
  }
}

TEST_CASE("k-means: its step keeps its laws", "[kmeans]") {
  const std::vector<float> values = synthetic<float>(500, 4, 3, seed());
  sequential alone;
  point_grid<float> grid = grid_of(view_of(values, 4), alone);
  moving_centres<float> moving(std::move(grid), 3, first_rows(values, 4, 3));
  CHECK_NOTHROW(static_cast<void>(verify(moving.step(true), view_input(view_of(values, 4).bytes()))));
}

TEST_CASE("k-means: one point or as many clusters as points", "[kmeans]") {
  const std::vector<float> one{3, -1, 7};
  const kmeans_result alone = kmeans(view_of(one, 3), {.clusters = 1, .labels = true});
  CHECK(alone.sizes == std::vector<std::uint64_t>{1});
  CHECK(alone.labels == std::vector<std::uint32_t>{0});
  CHECK(alone.inertia == 0);
  CHECK(alone.converged);
  CHECK(std::ranges::equal(alone.centers.row(0), std::vector<double>{3, -1, 7}));

  CAPTURE(seed());
  const std::vector<float> values = synthetic<float>(40, 2, 40, seed());
  for (const kmeans_start start : {kmeans_start::spread, kmeans_start::random}) {
    const kmeans_result each =
        kmeans(view_of(values, 2), {.clusters = 40, .start = start, .seed = seed(), .labels = true});
    CHECK(std::ranges::count(each.sizes, 1u) == 40);
    CHECK(each.inertia < 1e-10);
    CHECK(std::set<std::uint32_t>(each.labels.begin(), each.labels.end()).size() == 40);
  }
}

TEST_CASE("k-means: equal points and constant columns", "[kmeans]") {
  std::vector<float> values;
  for (int i = 0; i < 300; ++i) values.insert(values.end(), {5.25f, 1e6f});
  for (const kmeans_start start : {kmeans_start::spread, kmeans_start::random}) {
    const kmeans_result found = kmeans(view_of(values, 2), {.clusters = 3, .start = start, .labels = true});
    // The first of three equal centres takes all points, and the other two stay where they are.
    CHECK(found.sizes == std::vector<std::uint64_t>{300, 0, 0});
    CHECK(found.inertia == 0);
    for (std::uint32_t c = 0; c < 3; ++c)
      CHECK(std::ranges::equal(found.centers.row(c), std::vector<double>{5.25, 1e6}));
  }
}

TEST_CASE("k-means: clusters without points take the farthest ones", "[kmeans]") {
  const std::vector<float> values{0, 1, 2, 10, 11, 12};
  const std::vector<double> start{1, 1000, 11};
  const kmeans_result found = kmeans(
      view_of(values, 1), {.clusters = 3, .start = kmeans_start::given, .initial = {start.data(), 3, 1}});
  CHECK(found.sizes == std::vector<std::uint64_t>{2, 1, 3});
  CHECK(std::ranges::equal(found.centers.view().values(), std::vector<double>{1.5, 0, 11}));
  CHECK(found.inertia == Approx(2.5));
  // Two clusters are empty, and take the farthest points, 40 and 0. The only other centre is at 10.
  const std::vector<float> spread{0, 9, 10, 11, 40};
  const std::vector<double> one_near{10, 500, 600};
  const kmeans_result both = kmeans(
      view_of(spread, 1), {.clusters = 3, .start = kmeans_start::given, .initial = {one_near.data(), 3, 1}});
  CHECK(both.sizes == std::vector<std::uint64_t>{3, 1, 1});
  CHECK(std::ranges::equal(both.centers.view().values(), std::vector<double>{10, 40, 0}));
}

TEST_CASE("k-means: what cannot be clustered is refused with its reason", "[kmeans]") {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const auto points = view_of(values, 2);
  CHECK_THROWS_WITH(kmeans(points, {.clusters = 4}), contains("not 4 of 3 points"));
  CHECK_THROWS_WITH(kmeans(points, {.clusters = 0}), contains("not 0 of 3 points"));
  CHECK_THROWS_AS(kmeans(matrix_view<float>(values.data(), 0, 2), {.clusters = 1}), usage_error);
  CHECK_THROWS_AS(kmeans(matrix_view<float>(values.data(), 6, 0), {.clusters = 1}), usage_error);
  CHECK_THROWS_AS(kmeans(points, {.clusters = 1, .max_iterations = 0}), usage_error);
  CHECK_THROWS_AS(kmeans(points, {.clusters = 1, .tolerance = std::nan("")}), usage_error);
  CHECK_THROWS_WITH(kmeans(std::span<const float>(values), 4, {.clusters = 1}), contains("whole rows of 4"));
  const std::vector<double> start{1, 2, std::nan(""), 4};
  CHECK_THROWS_WITH(
      kmeans(points, {.clusters = 2, .start = kmeans_start::given, .initial = {start.data(), 1, 2}}),
      contains("1 rows of 2 columns"));
  CHECK_THROWS_WITH(
      kmeans(points, {.clusters = 2, .start = kmeans_start::given, .initial = {start.data(), 2, 2}}),
      contains("initial centre 1"));
  const std::vector<double> far{1, 1e30, 3, 4};
  CHECK_THROWS_WITH(
      kmeans(points, {.clusters = 2, .start = kmeans_start::given, .initial = {far.data(), 2, 2}}),
      contains("initial centre 0 (from 0) is too far away"));
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    const std::vector<float> with{1, 2, 3, bad, 5, 6};
    CHECK_THROWS_WITH(kmeans(view_of(with, 2), {.clusters = 1}), contains("row 1"));
  }
  const std::vector<float> huge{1, 2, 3e38f, 4, 5, 6};
  CHECK_THROWS_WITH(kmeans(view_of(huge, 2), {.clusters = 1}), contains("too large for float32"));
}

TEST_CASE("k-means: squared distances that float32 cannot hold are an error", "[kmeans]") {
  for (const float tiny : {1e-20f, 1e-23f, 1e-24f, 1e-40f}) {
    CAPTURE(tiny);
    const std::vector<float> values{0, 0, tiny, 0, 5 * tiny, 6 * tiny, 6 * tiny, 6 * tiny};
    CHECK_THROWS_AS(kmeans(view_of(values, 2), {.clusters = 2}), usage_error);
    CHECK_THROWS_WITH(kmeans(view_of(values, 2), {.clusters = 2}),
                      contains("too small for float32") && contains("--float64"));
    const std::vector<double> same(values.begin(), values.end());
    CHECK(kmeans(view_of(same, 2), {.clusters = 2}).sizes == std::vector<std::uint64_t>{2, 2});
  }
  const std::vector<double> doubles{0, 1e-170, 5e-170, 6e-170};
  CHECK_THROWS_WITH(kmeans(view_of(doubles, 1), {.clusters = 2}), contains("too small for float64; scale"));
  // Equal points have no distances. A column of tiny numbers beside a column of large ones changes nothing.
  const std::vector<float> equal{1e-30f, 1e-30f, 1e-30f};
  CHECK(kmeans(view_of(equal, 1), {.clusters = 1}).inertia == 0);
  const std::vector<float> beside{1, 1e-30f, 2, 3e-30f, 7, 1e-30f};
  CHECK(kmeans(view_of(beside, 2), {.clusters = 3}).sizes == std::vector<std::uint64_t>{1, 1, 1});
}

TEST_CASE("k-means: sums of a hundred million points keep their digits", "[kmeans]") {
  // The grid is computed as if for a hundred million points. A few points suffice to show the rounding.
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1f + static_cast<float>(i) * 1e-4f;
  sequential alone;
  const point_grid<float> grid = grid_of(view_of(values, 1), alone);
  CHECK(grid.units[0] <= 0.06 * 0x1p-40);
  const double largest = 0.05;
  for (const float value : values) {
    const double shifted = static_cast<double>(value - grid.shift[0]);
    const double units = shifted / grid.units[0];
    CHECK(std::abs(units) < 0x1p41);
    CHECK(std::abs(std::nearbyint(units) * grid.units[0] - shifted) <= largest * 0x1p-33);
  }
}

TEST_CASE("k-means++: of several candidates the best is taken", "[kmeans]") {
  // There are fifteen places side by side. Drawing one candidate for each centre often takes two rows of one
  // place.
  std::mt19937 random(5);
  std::vector<float> values;
  for (int i = 0; i < 3000; ++i) {
    const int place = i % 15;
    values.push_back(static_cast<float>(place % 4 * 10) + static_cast<float>(random() % 1000) * 0.004f);
    values.push_back(static_cast<float>(place / 4 * 10) + static_cast<float>(random() % 1000) * 0.004f);
  }
  sequential alone;
  int complete = 0;
  for (std::uint64_t of_seed = 0; of_seed < 40; ++of_seed) {
    std::set<std::uint64_t> places;
    for (const std::uint64_t row : spread_rows<float>(view_of(values, 2), 15, of_seed, alone, 0, nullptr))
      places.insert(row % 15);
    complete += places.size() == 15 ? 1 : 0;
  }
  CHECK(complete >= 30);  // of 40 seeds; with one candidate for each draw only 7
}

TEST_CASE("k-means++: seeds are repeated and spread", "[kmeans]") {
  CAPTURE(seed());
  // One place has nearly all points. Only a choice by distance also finds the nine others.
  std::vector<float> values(2000, 0.0f);
  for (std::size_t i = 0; i < 9; ++i) values[200 * i + 17] = 1000 * static_cast<float>(i + 1);
  sequential alone;
  const auto rows = spread_rows<float>(view_of(values, 1), 10, seed(), alone, 0, nullptr);
  CHECK(std::set<std::uint64_t>(rows.begin(), rows.end()).size() == 10);
  std::set<float> places;
  for (const std::uint64_t r : rows) places.insert(values[r]);
  CHECK(places.size() == 10);
  threaded_pool pool(3);
  CHECK(spread_rows<float>(view_of(values, 1), 10, seed(), pool, 0, nullptr) == rows);

  const auto drawn = duomap::random_rows(50, 50, seed());
  CHECK(std::set<std::uint64_t>(drawn.begin(), drawn.end()).size() == 50);
  CHECK(duomap::random_rows(1'000'000, 5, seed()) == duomap::random_rows(1'000'000, 5, seed()));
  CHECK(duomap::random_rows(1'000'000, 5, seed()) != duomap::random_rows(1'000'000, 5, seed() + 1));
}

TEST_CASE("k-means: a run can be cancelled", "[kmeans]") {
  run_control control;
  control.cancelled = true;
  const std::vector<float> values = synthetic<float>(100, 2, 3, seed());
  CHECK_THROWS_AS(kmeans(view_of(values, 2), {.clusters = 2, .run = {.control = &control}}), interrupted);
}

TEST_CASE("k-means: the progress is the bytes of the points, once for each iteration", "[kmeans]") {
  const std::vector<float> values = synthetic<float>(1000, 2, 3, seed());
  run_control control;
  // The numbers of an earlier run.
  control.units_done = 50;
  control.units_total = 50;
  const kmeans_result found = kmeans(
      view_of(values, 2), {.clusters = 3, .max_iterations = 4, .tolerance = 0, .run = {.control = &control}});
  CHECK(control.units_done == 50 + found.report.steps * 1000 * 2 * sizeof(float));
  CHECK(control.units_total == control.units_done);
}

TEST_CASE("k-means: GPU and CPU give the same bits, also together", "[gpu][sanitize][kmeans]") {
  if (no_gpu()) return;
  CAPTURE(seed());
  struct shape {
    std::uint64_t rows;
    std::uint32_t columns, clusters;
  };
  for (const auto& [rows, columns, clusters] :
       {shape{1, 1, 1}, shape{4001, 1, 7}, shape{4001, 2, 3}, shape{30'011, 3, 20}, shape{3000, 4, 9},
        shape{3001, 16, 33}, shape{2001, 31, 5}, shape{9001, 32, 41}, shape{1501, 41, 6}, shape{301, 784, 10},
        shape{3001, 32, 700}}) {
    CAPTURE(rows, columns, clusters);
    const std::vector<float> values = synthetic<float>(rows, columns, clusters, seed(), 1e4f);
    kmeans_options options{
        .clusters = clusters, .max_iterations = 5, .tolerance = 0, .seed = seed(), .labels = true};
    expect_same_on_devices(view_of(values, columns), options);
  }
}

TEST_CASE("k-means: float64 on the GPU alone is refused", "[gpu][kmeans]") {
  if (no_gpu()) return;
  const std::vector<double> values{1, 2, 3};
  CHECK_THROWS_AS(kmeans(view_of(values, 1), {.clusters = 1, .run = {.device = device_choice::gpu}}),
                  device_unavailable);
}

}  // namespace duomap::test::numeric_kmeans_kmeans_test
