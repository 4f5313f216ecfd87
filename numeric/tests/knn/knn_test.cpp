// Tests k nearest neighbours on the CPU, by every vector path, and on GPUs, against a plain search row by
// row.
#include "numeric/knn/knn.hpp"

#include "core/error.hpp"
#include "core/report.hpp"
#include "cpu/features.hpp"
#include "numeric/knn/nearest_in_chunk.hpp"
#include "numeric/knn/nearest_rows.hpp"
#include "numeric/knn/row_filter.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::numeric_knn_knn_test {
namespace {

template <class T = float>
struct row_set {
  std::vector<T> values;
  std::uint64_t columns = 1;

  [[nodiscard]] std::uint64_t rows() const { return values.size() / columns; }
  [[nodiscard]] const T* row(std::uint64_t i) const { return values.data() + i * columns; }
  [[nodiscard]] matrix_view<T> view() const { return {values, columns}; }
};

enum class kind { uniform, few_values, all_equal, far_away, tiny, huge, mixed };

template <class T = float>
row_set<T> make_rows(std::uint64_t rows, std::uint64_t columns, kind what, std::mt19937& random) {
  row_set<T> all{{}, columns};
  const bool wide = sizeof(T) == sizeof(double);
  const auto number = [&]() -> T {
    const T uniform = std::uniform_real_distribution<T>(0, 1)(random);
    switch (what) {
      case kind::uniform:
        return uniform;
      case kind::few_values:
        return std::floor(4 * uniform);
      case kind::all_equal:
        return 2;
      case kind::far_away:  // floats near 10,000 have three digits behind the point
        return T{10'000} + uniform;
      case kind::tiny:  // squares of differences underflow in T
        return static_cast<T>(wide ? 1e-161 : 1e-22) * uniform;
      case kind::huge:  // squares of differences overflow in T
        return static_cast<T>(wide ? 1e155 : 1e25) * (uniform - T{0.5});
      default:
        return std::ldexp(uniform - T{0.5}, static_cast<int>(random() % 60) - 30);
    }
  };
  all.values.reserve(rows * columns);
  for (std::uint64_t i = 0; i < rows * columns; ++i) all.values.push_back(number());
  return all;
}

/// Compares every row with every query. Scales doubles so that no square overflows or underflows.
template <class T>
std::vector<neighbour> search(row_set<T> training, row_set<T> queries, std::uint32_t k) {
  T largest = 0;
  for (const T one : training.values) largest = std::max(largest, std::abs(one));
  const int exponent = sizeof(T) == sizeof(float) || largest == 0 ? 0 : -std::ilogb(largest);
  for (row_set<T>* const one : {&training, &queries}) {
    for (T& number : one->values) number = std::ldexp(number, exponent);
  }
  std::vector<neighbour> found;
  std::vector<neighbour> all;
  for (std::uint64_t query = 0; query < queries.rows(); ++query) {
    all.clear();
    for (std::uint64_t i = 0; i < training.rows(); ++i) {
      all.push_back({squared_distance(training.row(i), queries.row(query),
                                      static_cast<std::uint32_t>(training.columns)),
                     i});
    }
    std::partial_sort(all.begin(), all.begin() + k, all.end(), nearer{});
    for (std::uint32_t i = 0; i < k; ++i)
      found.push_back({std::ldexp(std::sqrt(all[i].score), -exponent), all[i].index});
  }
  return found;
}

/// Calls check(training, queries, k) for synthetic sets of all kinds and shapes.
template <class T, class Check>
void for_each_case(std::mt19937& random, unsigned rounds, const Check& check) {
  for (unsigned round = 0; round < rounds; ++round) {
    for (const kind what : {kind::uniform, kind::few_values, kind::all_equal, kind::far_away, kind::tiny,
                            kind::huge, kind::mixed}) {
      const std::uint64_t columns = 1 + random() % (round % 4 == 3 ? 300 : 12);
      const std::uint64_t rows = 1 + random() % 400;
      const auto k = static_cast<std::uint32_t>(1 + random() % std::min<std::uint64_t>(rows, 40));
      check(make_rows<T>(rows, columns, what, random), make_rows<T>(random() % 24, columns, what, random), k);
    }
  }
}

const knn_options on_cpu{.k = 5, .run = {.device = device_choice::cpu}};

knn_options on_cpu_with(std::uint32_t k, unsigned threads = 0) {
  knn_options options = on_cpu;
  options.k = k;
  options.run.threads = threads;
  return options;
}

}  // namespace

TEMPLATE_TEST_CASE("the distance of two rows has the same bits on every vector path", "", float, double) {
  std::mt19937 random(seed());
  for (std::uint32_t columns = 1; columns < 70; ++columns) {
    const auto rows = make_rows<TestType>(2, columns, columns % 2 == 0 ? kind::mixed : kind::uniform, random);
    const double expected = squared_distance(rows.row(0), rows.row(1), columns);
    long double exact = 0;
    for (std::uint32_t c = 0; c < columns; ++c) {
      const long double difference = static_cast<long double>(rows.row(0)[c]) - rows.row(1)[c];
      exact += difference * difference;
    }
    CHECK(std::abs(static_cast<long double>(expected) - exact) <= exact * 1e-14L);
    for (const auto path : {cpu::vector_path::portable, cpu::vector_path::avx2, cpu::vector_path::avx512}) {
      if (path > cpu::best_vector_path()) continue;
      CHECK(row_filter_for<TestType>(path).squared_distance(rows.row(0), rows.row(1), columns) == expected);
    }
  }
}

TEMPLATE_TEST_CASE("the filter of rows misses none within the limit on any vector path", "", float, double) {
  using T = TestType;
  std::mt19937 random(seed());
  for (const std::uint32_t columns : {1u, 3u, 17u, 96u, 144u, 145u, 200u, 300u}) {
    for (const kind what : {kind::uniform, kind::tiny, kind::huge, kind::far_away}) {
      const auto rows = make_rows<T>(filter_tile_rows, columns, what, random);
      const auto queries = make_rows<T>(1 + random() % 9, columns, what, random);
      std::vector<T> tile(filter_tile_rows * columns);
      for (std::uint32_t r = 0; r < filter_tile_rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c) tile[c * filter_tile_rows + r] = rows.row(r)[c];
      }
      // The limit is the distance of some row: this row must pass the filter, and few rows that are farther.
      std::vector<T> limits;
      std::vector<double> nearest;
      for (std::uint64_t q = 0; q < queries.rows(); ++q) {
        nearest.push_back(squared_distance(rows.row(random() % filter_tile_rows), queries.row(q), columns));
        const double limit = widened_limit<T>(nearest.back(), columns);
        constexpr T infinity = std::numeric_limits<T>::infinity();
        limits.push_back(limit > static_cast<double>(std::numeric_limits<T>::max())
                             ? infinity
                             : std::nextafter(static_cast<T>(limit), infinity));
      }
      for (const auto path : {cpu::vector_path::portable, cpu::vector_path::avx2, cpu::vector_path::avx512}) {
        if (path > cpu::best_vector_path()) continue;
        std::vector<T> sums((queries.rows() + 3) / 4 * 4 * filter_tile_rows);
        std::vector<filter_hit> hits(most_hits_of_query * queries.rows());
        const std::size_t count =
            row_filter_for<T>(path).find({.tile = tile.data(),
                                          .columns = columns,
                                          .queries = queries.values.data(),
                                          .query_count = static_cast<std::uint32_t>(queries.rows()),
                                          .limits = limits.data(),
                                          .sums = sums.data(),
                                          .hits = hits.data()});
        std::vector<std::uint64_t> near(queries.rows());
        for (std::size_t i = 0; i < count; ++i) near[hits[i].query] |= hits[i].rows;
        std::uint64_t missed = 0, in_vain = 0;
        for (std::uint64_t q = 0; q < queries.rows(); ++q) {
          for (std::uint32_t r = 0; r < filter_tile_rows; ++r) {
            const double distance = squared_distance(rows.row(r), queries.row(q), columns);
            const bool passed = (near[q] >> r & 1) != 0;
            if (!passed && distance <= nearest[q]) ++missed;
            if (passed && distance > 1.01 * nearest[q] + columns * (sizeof(T) == 4 ? 1e-42 : 1e-320))
              ++in_vain;
          }
        }
        INFO("columns " << columns << ", kind " << static_cast<int>(what) << ", path " << cpu::name(path));
        CHECK(missed == 0);
        if (what != kind::huge) CHECK(in_vain == 0);
      }
    }
  }
}

TEMPLATE_TEST_CASE("the nearest neighbours are those of a search row by row for any rows threads and k", "",
                   float, double) {
  std::mt19937 random(seed());
  for_each_case<TestType>(random, 8, [&](const auto& training, const auto& queries, std::uint32_t k) {
    const knn_result found =
        knn(training.view(), queries.view(), on_cpu_with(k, 1 + static_cast<unsigned>(random() % 3)));
    INFO(training.rows() << " x " << training.columns << ", " << queries.rows() << " queries, k " << k);
    CHECK(found.queries() == queries.rows());
    CHECK(found.neighbours == search(training, queries, k));
  });
}

TEST_CASE("many chunks and many queries give the neighbours of a search row by row") {
  std::mt19937 random(seed());
  const row_set training = make_rows(20'011, 3, kind::few_values, random);
  const row_set queries = make_rows(97, 3, kind::uniform, random);
  CHECK(knn(training.view(), queries.view(), on_cpu_with(11, 3)).neighbours == search(training, queries, 11));
}

TEST_CASE("more queries than a batch has are all answered") {
  std::mt19937 random(seed());
  const row_set training = make_rows(5, 2, kind::uniform, random);
  const row_set queries = make_rows(8192 * 2 + 3, 2, kind::uniform, random);
  run_report report;
  knn_options options = on_cpu_with(2);
  options.run.report = &report;
  CHECK(knn(training.view(), queries.view(), options).neighbours == search(training, queries, 2));
  CHECK(report.results == queries.rows());
  CHECK(report.units == 3 * training.values.size() * sizeof(float));
}

TEST_CASE("one row is the neighbour of every query and equal rows rank by their index") {
  const std::vector<float> one{3, 4};
  const std::vector<float> query{0, 0};
  const knn_result alone = knn(one, query, 2, on_cpu_with(1));
  CHECK(alone.neighbours == std::vector<neighbour>{{5, 0}});

  std::mt19937 random(seed());
  const row_set equal = make_rows(1000, 3, kind::all_equal, random);
  const knn_result first =
      knn(equal.view(), make_rows(1, 3, kind::all_equal, random).view(), on_cpu_with(7, 2));
  for (std::uint64_t i = 0; i < 7; ++i) CHECK(first.neighbours[i] == neighbour{0, i});

  const knn_result all = knn(equal.view(), equal.view(), on_cpu_with(1000, 2));
  CHECK(all.of(999).back() == neighbour{0, 999});
  CHECK(knn(equal.view(), matrix_view<float>(nullptr, 0, 3), on_cpu_with(3)).queries() == 0);
}

TEST_CASE("neighbours of doubles are found on the CPU and refused on GPUs") {
  const std::vector<double> rows{1, 2, 3};
  for (const auto device : {device_choice::gpu, device_choice::cpu_gpu})
    CHECK_THROWS_WITH(knn(rows, rows, 1, {.k = 1, .run = {.device = device}}),
                      contains("32-bit floats") && contains("--device cpu"));
  run_report report;
  CHECK(knn(rows, rows, 1, {.k = 1, .run = {.report = &report}}).neighbours[2] == neighbour{0, 2});
  REQUIRE(report.notes.size() == 1);
  CHECK_THAT(report.notes.front(), contains("no GPU used: "));
}

TEST_CASE("what k nearest neighbours cannot do is an error that says why") {
  const std::vector<float> rows{1, 2, 3, 4, 5, 6};
  CHECK_THROWS_AS(knn(rows, rows, 2, on_cpu_with(4)), usage_error);
  CHECK_THROWS_WITH(knn(rows, rows, 2, on_cpu_with(4)), contains("only 3 training rows"));
  CHECK_THROWS_WITH(knn(rows, rows, 2, on_cpu_with(0)), contains("at least"));
  CHECK_THROWS_WITH(knn(rows, rows, 0, on_cpu_with(1)), contains("no columns"));
  CHECK_THROWS_WITH(knn({rows.data(), 3, 2}, {rows.data(), 2, 3}, on_cpu_with(1)),
                    contains("queries have 3 columns, training rows 2"));
  std::vector<float> bad = rows;
  bad[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(knn(bad, rows, 2, on_cpu_with(1)), input_error);
  CHECK_THROWS_WITH(knn(bad, rows, 2, on_cpu_with(1)), contains("training rows") && contains("row 1"));
  bad[3] = -std::numeric_limits<float>::infinity();
  CHECK_THROWS_WITH(knn(rows, bad, 2, on_cpu_with(1)), contains("queries") && contains("row 1"));
}

TEST_CASE("the majority wins a vote and among equals the class of the nearest neighbour") {
  knn_result found{.k = 5, .neighbours = {}};
  const auto add = [&](const std::vector<std::uint64_t>& rows) {
    double distance = 0;
    for (const std::uint64_t row : rows) found.neighbours.push_back({distance += 1, row});
  };
  const std::vector<std::uint32_t> classes{7, 7, 7, 9, 9, 9, 4};
  add({3, 0, 1, 2, 4});  // classes 9 7 7 7 9
  add({3, 0, 1, 4, 6});  // classes 9 7 7 9 4
  add({6, 0, 3, 1, 4});  // classes 4 7 9 7 9
  CHECK(vote(found, classes) == std::vector<std::uint32_t>{7, 9, 7});
  CHECK(vote({}, classes).empty());
}

TEST_CASE("a chunk of training rows maps the same with and without a bound") {
  std::mt19937 random(seed());
  const row_set training = make_rows(300, 5, kind::few_values, random);
  const row_set queries = make_rows(6, 5, kind::few_values, random);
  std::vector<std::vector<neighbour>> all(6);
  auto keep = [&](std::uint64_t query, const neighbour& one) {
    all[query].push_back(one);
  };
  const chunk part{reinterpret_cast<const char*>(training.row(10)), 290 * 5 * sizeof(float),
                   10 * 5 * sizeof(float), 0};
  map_nearest_in_chunk(query_rows<float>{queries.values.data(), 6, 5}, part, keep);
  for (std::uint64_t query = 0; query < 6; ++query) {
    REQUIRE(all[query].size() == 290);
    CHECK(all[query].front().index == 10);
    CHECK(all[query].back() == neighbour{squared_distance(training.row(299), queries.row(query), 5), 299});
  }
}

}  // namespace duomap::test::numeric_knn_knn_test

#if DUOMAP_HAS_CUDA

namespace duomap::test::numeric_knn_knn_test {
namespace {

knn_options on_gpu_with(std::uint32_t k) { return {.k = k, .run = {.device = device_choice::gpu}}; }

}  // namespace

TEST_CASE("a GPU finds the nearest neighbours that a search row by row finds", "[gpu][sanitize]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  for_each_case<float>(random, 4, [&](const auto& training, const auto& queries, std::uint32_t k) {
    INFO(training.rows() << " x " << training.columns << ", " << queries.rows() << " queries, k " << k);
    CHECK(knn(training.view(), queries.view(), on_gpu_with(k)).neighbours == search(training, queries, k));
  });
}

TEST_CASE("every kernel of the nearest rows finds what the CPU finds", "[gpu]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  for (const std::uint64_t columns : {1u, 2u, 3u, 4u, 5u, 33u, 64u}) {
    for (const std::uint64_t count : {1u, 8u, 49u, 300u}) {
      for (const std::uint32_t k : {1u, 20u, 1024u}) {
        const kind what = random() % 2 == 0 ? kind::uniform : kind::few_values;
        const row_set training = make_rows(20'000 + random() % 7, columns, what, random);
        const row_set queries = make_rows(count, columns, what, random);
        INFO(columns << " columns, " << count << " queries, k " << k);
        CHECK(knn(training.view(), queries.view(), on_gpu_with(k)).neighbours ==
              knn(training.view(), queries.view(), on_cpu_with(k)).neighbours);
      }
    }
  }
}

TEST_CASE("tens of thousands of queries find on GPUs alone what they find on the CPU", "[gpu]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  const row_set training = make_rows(9001, 17, kind::uniform, random);
  const row_set queries = make_rows(32'768 + 5, 17, kind::few_values, random);
  CHECK((knn(training.view(), queries.view(), on_gpu_with(3)).neighbours ==
         knn(training.view(), queries.view(), on_cpu_with(3)).neighbours));
}

TEST_CASE("rows that rounded products cannot tell apart are told apart by their differences", "[gpu]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  // Half of the queries have near rows whose distances differ less than products can tell.
  row_set training = make_rows(30'000, 100, kind::uniform, random);
  row_set queries = make_rows(256, 100, kind::uniform, random);
  for (std::uint64_t i = 0; i < training.values.size() / 2; ++i)
    training.values[i] = static_cast<float>(i % 100) + training.values[i] / 10'000;
  for (std::uint64_t i = 0; i < queries.values.size() / 2; ++i)
    queries.values[i] = static_cast<float>(i % 100) + queries.values[i] / 10'000;
  CHECK(knn(training.view(), queries.view(), on_gpu_with(20)).neighbours ==
        knn(training.view(), queries.view(), on_cpu_with(20)).neighbours);
}

TEST_CASE("more equally near rows than a GPU lists are ranked all the same", "[gpu]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  const row_set training = make_rows(30'000, 3, kind::all_equal, random);
  const row_set queries = make_rows(3, 3, kind::all_equal, random);
  for (const std::uint32_t k : {1u, 300u, 1024u}) {
    CHECK(knn(training.view(), queries.view(), on_gpu_with(k)).neighbours ==
          knn(training.view(), queries.view(), on_cpu_with(k)).neighbours);
  }
}

TEST_CASE("CPU and GPU together find the nearest neighbours that each finds alone", "[gpu]") {
  if (no_gpu()) return;
  std::mt19937 random(seed());
  const row_set training = make_rows(400'000, 3, kind::few_values, random);
  const row_set queries = make_rows(70, 3, kind::uniform, random);
  const auto alone = knn(training.view(), queries.view(), on_cpu_with(30)).neighbours;
  for (const double share : {0.1, 0.5, 0.9}) {
    knn_options both{.k = 30, .run = {.device = device_choice::cpu_gpu}};
    both.run.share = {.policy = share_policy::by_hand, .gpu_share = share};
    CHECK(knn(training.view(), queries.view(), both).neighbours == alone);
  }
}

TEST_CASE("more neighbours than a GPU keeps are found on the CPU or refused", "[gpu]") {
  std::mt19937 random(seed());
  const row_set training = make_rows(2000, 2, kind::uniform, random);
  const row_set query = make_rows(1, 2, kind::uniform, random);
  CHECK_THROWS_WITH(knn(training.view(), query.view(), on_gpu_with(1025)), contains("at most 1024"));
  run_report report;
  const knn_options anywhere{.k = 1025, .run = {.report = &report}};
  CHECK(knn(training.view(), query.view(), anywhere).neighbours == search(training, query, 1025));
  REQUIRE(report.notes.size() == 1);
  CHECK_THAT(report.notes.front(), contains("no GPU used: "));
}

}  // namespace duomap::test::numeric_knn_knn_test

#endif
