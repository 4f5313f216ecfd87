// Tests principal components on the CPU and GPUs: moments against plain fused multiply-adds and sums in
// float64, the promises of the result, and degenerate tables.
#include "numeric/pca/pca.hpp"

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/report.hpp"
#include "cpu/features.hpp"
#include "cpu/machine_pool.hpp"
#include "gpu/device/device.hpp"
#include "numeric/pca/centred_sums.hpp"
#include "numeric/pca/moment_plan.hpp"
#include "numeric/pca/product_tile.hpp"
#include "numeric/pca/run_moments.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace duomap::numeric_pca_pca_test {
namespace {

/// Random numbers about a mean of each column. The columns of a row share a part, so they are correlated.
template <class T>
std::vector<T> random_rows(std::mt19937_64& random, std::uint64_t rows, std::uint64_t columns,
                           double offset) {
  std::normal_distribution<double> normal;
  std::vector<T> values;
  for (std::uint64_t r = 0; r < rows; ++r) {
    const double shared = normal(random);
    for (std::uint64_t c = 0; c < columns; ++c)
      values.push_back(static_cast<T>(offset * static_cast<double>(c + 1) + shared + normal(random)));
  }
  return values;
}

struct exact_sums {
  std::vector<double> mean;
  std::vector<double> products;
};

/// Computes the sums in two passes in float64.
template <class T>
exact_sums exact_of(const std::vector<T>& values, std::uint64_t columns) {
  const std::uint64_t rows = values.size() / columns;
  exact_sums all{std::vector<double>(columns), std::vector<double>(columns * columns)};
  for (std::uint64_t i = 0; i < values.size(); ++i)
    all.mean[i % columns] += static_cast<double>(values[i]) / static_cast<double>(rows);
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t i = 0; i < columns; ++i) {
      const double x = static_cast<double>(values[r * columns + i]) - all.mean[i];
      for (std::uint64_t j = 0; j < columns; ++j)
        all.products[i * columns + j] += x * (static_cast<double>(values[r * columns + j]) - all.mean[j]);
    }
  }
  return all;
}

/// The largest error of a sum of products, relative to the root of its two columns' sums of squares.
double worst_error(const centred_sums& found, const exact_sums& exact) {
  const std::uint64_t columns = exact.mean.size();
  double worst = 0;
  for (std::uint64_t i = 0; i < columns; ++i) {
    for (std::uint64_t j = 0; j < columns; ++j) {
      const double scale = std::sqrt(exact.products[i * columns + i] * exact.products[j * columns + j]);
      const double error = std::fabs(found.products.row(i)[j] - exact.products[i * columns + j]);
      worst = std::max(worst, scale > 0 ? error / scale : error);
    }
  }
  return worst;
}

/// The largest relative error that the test allows: the bound of centred_sums_of() for floats. For doubles
/// the sums of the test itself, in float64, have larger errors than centred_sums_of() allows.
template <class T>
constexpr double error_bound = std::is_same_v<T, float> ? 520 * 0x1p-24 : 1e-12;

template <class T>
centred_sums sums_of(const std::vector<T>& values, std::uint64_t columns, const run_options& options,
                     bool deterministic = false) {
  const matrix_view<T> table(values, columns);
  const auto pool = cpu::machine_pool(options.threads, view_input(table.bytes()));
  return centred_sums_of(table, "the test", deterministic, *pool, options);
}

bool same_bits(const centred_sums& a, const centred_sums& b) {
  const std::uint64_t cells = a.products.rows() * a.products.columns();
  return a.rows == b.rows && a.mean.size() == b.mean.size() &&
         std::memcmp(a.mean.data(), b.mean.data(), a.mean.size() * sizeof(double)) == 0 &&
         std::memcmp(a.products.data(), b.products.data(), cells * sizeof(double)) == 0;
}

template <class T>
void check_kernels(cpu::vector_path path, std::mt19937_64& random) {
  const tile_kernels<T> kernels = tile_kernels_for<T>(path);
  std::normal_distribution<T> normal;
  for (const std::uint32_t width : {panel_columns<T> / 2, panel_columns<T>}) {
    const std::uint64_t rows = 1 + random() % 40;
    const auto columns = static_cast<std::uint32_t>(1 + random() % width);
    const std::uint32_t stride = columns + 3;
    CAPTURE(cpu::name(path), width, rows, columns);
    std::vector<T> from(rows * stride), origin(columns), panel(rows * width, T{7});
    for (T& value : from) value = normal(random);
    for (T& value : origin) value = normal(random);
    kernels.centre(rows, from.data(), stride, columns, origin.data(), panel.data(), width);
    bool centred = true;
    for (std::uint64_t r = 0; r < rows; ++r) {
      for (std::uint32_t c = 0; c < width; ++c)
        centred = centred && panel[r * width + c] == (c < columns ? from[r * stride + c] - origin[c] : T{});
    }
    CHECK(centred);
    std::vector<T> left(rows * tile_left), products(tile_left * width, T{7}), sums(width, T{7});
    for (T& value : left) value = normal(random);
    kernels.add({rows, left.data(), tile_left, panel.data(), width, panel.data(), width}, products.data(),
                sums.data());
    bool added = true;
    for (std::uint32_t j = 0; j < width; ++j) {
      T sum = 0;
      for (std::uint64_t r = 0; r < rows; ++r) sum += panel[r * width + j];
      added = added && sum == sums[j];
      for (std::uint32_t i = 0; i < tile_left; ++i) {
        T product = 0;
        for (std::uint64_t r = 0; r < rows; ++r)
          product = std::fma(left[r * tile_left + i], panel[r * width + j], product);
        added = added && product == products[i * width + j];
      }
    }
    CHECK(added);
  }
}

TEST_CASE("pca: tiles of products have the bits of one chain on every vector path") {
  std::mt19937_64 random(test::seed());
  for (const auto path : {cpu::vector_path::portable, cpu::vector_path::avx2, cpu::vector_path::avx512}) {
    if (path > cpu::best_vector_path()) continue;
    for (int round = 0; round < 10; ++round) {
      check_kernels<float>(path, random);
      check_kernels<double>(path, random);
    }
  }
}

template <class T>
void check_sums(std::mt19937_64& random, const run_options& options) {
  for (const std::uint64_t columns : {1u, 2u, 7u, 8u, 13u, 16u, 31u, 32u, 33u, 70u}) {
    const std::uint64_t rows = 2 + random() % 1500;
    CAPTURE(rows, columns);
    const std::vector<T> values = random_rows<T>(random, rows, columns, 3);
    const centred_sums found = sums_of(values, columns, options);
    const exact_sums exact = exact_of(values, columns);
    CHECK(found.rows == rows);
    CHECK(worst_error(found, exact) <= error_bound<T>);
    for (std::uint64_t c = 0; c < columns; ++c) CHECK(std::fabs(found.mean[c] - exact.mean[c]) < 1e-5);
  }
}

template <class T>
void check_plan(std::uint32_t columns, std::uint64_t rows, unsigned at_once, bool fixed_run) {
  using tile = moment_tile<T>;
  const moment_plan plan = plan_moments<T>(columns, rows, at_once, 256, fixed_run);
  CAPTURE(sizeof(T), columns, rows, at_once, fixed_run);
  CHECK(plan.blocks * plan.block_tiles * tile::edge >= columns);
  CHECK((fixed_run ? plan.run == 256 : plan.run <= 256));
  for (const moment_share& share : {plan.same, plan.other}) {
    CHECK(share.phases >= 1);
    CHECK(share.phases * share.tiles <= tile::threads);
    CHECK(share.phases * share.pitch() <= tile::shared_numbers);
    CHECK(share.phases * share.step * share.width <= tile::step_numbers);
    CHECK(plan.run % share.step == 0);
    CHECK(share.slices >= 1);
    CHECK(share.slices <= 3 * at_once * 2);
    if (plan.blocks == 1) break;  // there are no pairs of two blocks
  }
}

TEST_CASE("pca: the plan of a launch fits into shared memory for any table") {
  for (const std::uint32_t columns :
       {1u, 2u, 7u, 8u, 9u, 24u, 33u, 60u, 61u, 64u, 120u, 121u, 128u, 784u, 5000u}) {
    for (const std::uint64_t rows : {1u, 3u, 255u, 256u, 100'000u, 10'000'000u}) {
      for (const unsigned at_once : {1u, 40u, 264u}) {
        for (const bool fixed_run : {false, true}) {
          check_plan<float>(columns, rows, at_once, fixed_run);
          check_plan<double>(columns, rows, at_once, fixed_run);
        }
      }
    }
  }
}

TEST_CASE("pca: sums of products are as near to those in float64 as is promised") {
  std::mt19937_64 random(test::seed());
  for (const unsigned threads : {1u, 3u}) {
    check_sums<float>(random, {.device = device_choice::cpu, .threads = threads});
    check_sums<double>(random, {.device = device_choice::cpu, .threads = threads});
  }
}

TEST_CASE("pca: an offset a million times the spread costs nothing but its own rounding") {
  std::mt19937_64 random(test::seed());
  const std::vector<float> values = random_rows<float>(random, 5000, 5, 1e6);
  const centred_sums found = sums_of(values, 5, {.device = device_choice::cpu});
  CHECK(worst_error(found, exact_of(values, 5)) <= error_bound<float>);
}

TEST_CASE("pca: rows that are chosen badly for the first mean cost a second pass and no digit") {
  std::mt19937_64 random(test::seed());
  const std::uint64_t rows = 256 * 40;
  std::vector<float> values = random_rows<float>(random, rows, 3, 1);
  for (std::uint64_t r = 0; r < rows; r += 40) values[r * 3 + 1] = 3e4f;
  for (std::uint64_t r = 0; r < rows; r += 40) values[r * 3 + 2] = values[(r + 1) * 3 + 2];
  // Moves only the sampled rows of the second column, by ten deviations. A larger move would make a variance
  // in which the other rows' variance is lost.
  for (std::uint64_t r = 0; r < rows; r += 40) values[r * 3 + 1] = 14;
  run_report report;
  const centred_sums found = sums_of(values, 3, {.device = device_choice::cpu, .report = &report});
  CHECK(worst_error(found, exact_of(values, 3)) <= error_bound<float>);
  CHECK(std::ranges::any_of(
      report.notes, [](const std::string& note) { return note.find("read twice") != std::string::npos; }));
}

TEST_CASE("pca: deterministic sums have the same bits with any number of threads") {
  std::mt19937_64 random(test::seed());
  for (const std::uint64_t columns : {3u, 20u, 40u}) {
    const std::vector<float> values = random_rows<float>(random, 20'000 / columns + 77, columns, 5);
    const centred_sums alone = sums_of(values, columns, {.device = device_choice::cpu, .threads = 1}, true);
    CHECK(worst_error(alone, exact_of(values, columns)) <= error_bound<float>);
    for (const unsigned threads : {2u, 3u, 5u})
      CHECK(same_bits(alone,
                      sums_of(values, columns, {.device = device_choice::cpu, .threads = threads}, true)));
  }
}

TEST_CASE("pca: eigenvalues sum up to the variance; axes are orthonormal; the rows vary along them so much") {
  std::mt19937_64 random(test::seed());
  const std::uint64_t columns = 9, rows = 700;
  const std::vector<double> values = random_rows<double>(random, rows, columns, 2);
  const bool correlation = GENERATE(false, true);
  const pca_result found = pca(matrix_view<double>(values, columns),
                               {.correlation = correlation, .run = {.device = device_choice::cpu}});
  REQUIRE(found.variance.size() == columns);
  double trace = 0, sum = 0, shares = 0;
  for (std::uint64_t i = 0; i < columns; ++i) {
    trace += correlation ? 1 : found.covariance.row(i)[i];
    sum += found.variance[i];
    shares += found.share[i];
    if (i > 0) CHECK(found.variance[i] <= found.variance[i - 1]);
  }
  CHECK(sum == Approx(trace).epsilon(1e-12));
  CHECK(shares == Approx(1).epsilon(1e-12));
  for (std::uint64_t a = 0; a < columns; ++a) {
    for (std::uint64_t b = 0; b < columns; ++b) {
      double product = 0;
      for (std::uint64_t c = 0; c < columns; ++c) product += found.axes.row(a)[c] * found.axes.row(b)[c];
      CHECK(std::fabs(product - (a == b ? 1 : 0)) < 1e-12);
    }
    const auto axis = found.axes.row(a);
    CHECK(*std::ranges::max_element(axis, {}, [](double x) { return std::fabs(x); }) > 0);
  }
  sequential pool;
  const matrix<double> coordinates = project(matrix_view<double>(values, columns), found, pool);
  for (std::uint64_t k = 0; k < columns; ++k) {
    double mean = 0, squares = 0;
    for (std::uint64_t r = 0; r < rows; ++r) mean += coordinates.row(r)[k] / static_cast<double>(rows);
    for (std::uint64_t r = 0; r < rows; ++r) squares += coordinates.row(r)[k] * coordinates.row(r)[k];
    CHECK(std::fabs(mean) < 1e-11);
    CHECK(squares / static_cast<double>(rows - 1) == Approx(found.variance[k]).epsilon(1e-9));
  }
}

TEST_CASE("pca: the components that are asked for are the first of all") {
  std::mt19937_64 random(test::seed());
  const std::vector<float> values = random_rows<float>(random, 300, 6, 0);
  const run_options cpu{.device = device_choice::cpu, .threads = 1};
  const pca_result all = pca(std::span<const float>(values), 6, {.run = cpu});
  const pca_result two = pca(std::span<const float>(values), 6, {.components = 2, .run = cpu});
  REQUIRE(two.axes.rows() == 2);
  REQUIRE(two.variance.size() == 2);
  CHECK(two.share[1] == all.share[1]);
  CHECK(std::ranges::equal(two.axes.row(1), all.axes.row(1)));
  CHECK_THROWS_AS(pca(std::span<const float>(values), 6, {.components = 7, .run = cpu}), usage_error);
}

TEST_CASE("pca: tables at the edge of having components") {
  const run_options cpu{.device = device_choice::cpu, .threads = 1};
  const auto of = [&](const std::vector<float>& values, std::uint64_t columns, bool correlation = false) {
    return pca(matrix_view<float>(values, columns), {.correlation = correlation, .run = cpu});
  };
  SECTION("one row, no row, no column") {
    CHECK_THROWS_WITH(of({1, 2, 3}, 3), test::contains("one row") && test::contains("at least two"));
    CHECK_THROWS_AS(of({}, 3), input_error);
    CHECK_THROWS_AS(pca(matrix_view<float>(nullptr, 4, 0), {.run = cpu}), input_error);
  }
  SECTION("more columns than eigenvectors can be computed of") {
    CHECK_THROWS_WITH(of(std::vector<float>(2 * 32'767), 32'767),
                      test::contains("32767 columns") && test::contains("at most 32766"));
  }
  SECTION("one column") {
    const pca_result found = of({1, 2, 3, 6}, 1);
    CHECK(found.mean[0] == 3);
    CHECK(found.variance[0] == Approx(14.0 / 3));
    CHECK(found.share[0] == 1);
    CHECK(found.axes.row(0)[0] == 1);
  }
  SECTION("constant columns have variance 0 exactly") {
    const pca_result found = of({1e6f, 0.1f, 1e6f, 0.1f, 1e6f, 0.1f}, 2);
    CHECK(found.variance == std::vector<double>{0, 0});
    CHECK(found.share == std::vector<double>{0, 0});
    const pca_result one = of({1, 5, 2, 5, 3, 5}, 2, true);
    CHECK(one.variance[0] == Approx(1));
    CHECK(one.variance[1] == Approx(0));
  }
  SECTION("fewer rows than columns") {
    std::mt19937_64 random(test::seed());
    const pca_result found = of(random_rows<float>(random, 4, 11, 1), 11);
    CHECK(found.variance[2] > 1e-3);
    for (std::uint64_t k = 3; k < 11; ++k) CHECK(found.variance[k] == 0);
  }
  SECTION("axes have no zeros with a sign") {
    const pca_result found = of({1, 0, 0, -1, 0, 0, 0, 2, 0, 0, -2, 0, 0, 0, 3, 0, 0, -3}, 3);
    for (std::uint64_t k = 0; k < 3; ++k) {
      for (const double component : found.axes.row(k)) CHECK((component != 0 || !std::signbit(component)));
    }
  }
  SECTION("two rows") {
    const pca_result found = of({0, 0, 3, 4}, 2);
    CHECK(found.variance[0] == Approx(12.5));
    CHECK(found.axes.row(0)[0] == Approx(0.6));
    CHECK(found.axes.row(0)[1] == Approx(0.8));
  }
  SECTION("NaN and infinity are an error that names the row") {
    std::vector<float> values(3000 * 4, 1);
    values[2345 * 4 + 2] = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_WITH(of(values, 4), test::contains("row 2345") && test::contains("column 3"));
    values[2345 * 4 + 2] = std::numeric_limits<float>::infinity();
    CHECK_THROWS_WITH(of(values, 4), test::contains("row 2345"));
  }
  SECTION("squares beyond float32 are an error that says so") {
    CHECK_THROWS_WITH(of({1e30f, -1e30f}, 1), test::contains("float64"));
    CHECK(pca(matrix_view<double>(std::vector<double>{1e30, -1e30}, 1), {.run = cpu}).variance[0] ==
          Approx(2e60));
  }
}

#if DUOMAP_HAS_CUDA

template <class T>
void check_on_gpu(std::mt19937_64& random, std::uint64_t rows, std::uint64_t columns) {
  CAPTURE(sizeof(T), rows, columns);
  const std::vector<T> values = random_rows<T>(random, rows, columns, 4);
  const centred_sums found = sums_of(values, columns, {.device = device_choice::gpu});
  CHECK(found.rows == rows);
  CHECK(worst_error(found, exact_of(values, columns)) <= error_bound<T>);
  const centred_sums here = sums_of(values, columns, {.device = device_choice::cpu}, true);
  CHECK(same_bits(here, sums_of(values, columns, {.device = device_choice::gpu}, true)));
  run_options both{.device = device_choice::cpu_gpu};
  both.share.policy = share_policy::by_hand;
  both.share.gpu_share = 0.5;
  CHECK(same_bits(here, sums_of(values, columns, both, true)));
}

TEST_CASE("pca: a GPU finds the sums of the CPU, and deterministic ones to the last bit", "[gpu][sanitize]") {
  if (test::no_gpu()) return;
  std::mt19937_64 random(test::seed());
  check_on_gpu<float>(random, 700 + random() % 600, 32);
  check_on_gpu<float>(random, 300 + random() % 300, 13);
  check_on_gpu<double>(random, 300 + random() % 300, 9);
}

TEST_CASE("pca: a GPU finds the sums of any number of columns", "[gpu]") {
  if (test::no_gpu()) return;
  std::mt19937_64 random(test::seed());
  for (const std::uint64_t columns : {1u, 2u, 8u, 16u, 24u, 33u, 61u, 64u, 65u, 120u, 121u, 150u}) {
    check_on_gpu<float>(random, 2 + random() % 1200, columns);
    check_on_gpu<double>(random, 2 + random() % 600, columns);
  }
  check_on_gpu<float>(random, 200'000 + random() % 1000, 8);
}

#endif

}  // namespace
}  // namespace duomap::numeric_pca_pca_test
