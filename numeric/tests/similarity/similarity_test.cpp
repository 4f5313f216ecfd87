// Tests similar pairs against a plain loop in double, degenerate vectors, and the pairs of a row.
#include "numeric/similarity/similarity.hpp"

#include "core/error.hpp"
#include "numeric/similarity/cyclic_pairs.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace duomap::numeric_similarity_similarity_test {
namespace {

struct documents {
  std::uint64_t rows, columns;
  std::vector<float> numbers;

  // Some rows are zeros, and some are equal to the row before.
  documents(std::uint64_t count, std::uint64_t width, std::mt19937_64& random)
    : rows(count), columns(width), numbers(count * width) {
    std::normal_distribution<float> any;
    for (std::uint64_t i = 0; i < rows; ++i) {
      const std::uint64_t kind = random() % 8;
      for (std::uint64_t j = 0; j < columns; ++j) {
        float& x = numbers[i * columns + j];
        x = kind == 0 ? 0 : kind == 1 && i > 0 ? numbers[(i - 1) * columns + j] : any(random);
      }
    }
  }
  [[nodiscard]] matrix_view<float> view() const { return {numbers.data(), rows, columns}; }

  [[nodiscard]] double cosine(std::uint64_t i, std::uint64_t j) const {
    double product = 0, left = 0, right = 0;
    for (std::uint64_t k = 0; k < columns; ++k) {
      const double x = numbers[i * columns + k], y = numbers[j * columns + k];
      product += x * y;
      left += x * x;
      right += y * y;
    }
    return left == 0 || right == 0 ? 0 : product / std::sqrt(left * right);
  }
  [[nodiscard]] double tolerance() const { return static_cast<double>(columns + 2) * 0x1p-24; }
};

// Checks that all pairs clearly above the threshold are there, none clearly below it, each once and in order.
void check_above(const documents& of, double threshold, const std::vector<similar_pair>& pairs) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  std::pair<std::uint32_t, std::uint32_t> last{0, 0};
  for (const similar_pair& one : pairs) {
    const std::pair now{one.first, one.second};
    REQUIRE(one.first < one.second);
    REQUIRE(one.second < of.rows);
    REQUIRE(last < now);
    last = now;
    found.insert(now);
    REQUIRE(std::abs(one.cosine - of.cosine(one.first, one.second)) <= of.tolerance());
    REQUIRE(one.cosine >= static_cast<float>(threshold));
  }
  for (std::uint32_t i = 0; i < of.rows; ++i) {
    for (std::uint32_t j = i + 1; j < of.rows; ++j) {
      if (of.cosine(i, j) >= threshold + of.tolerance() + 1e-7) REQUIRE(found.contains({i, j}));
    }
  }
}

void check_best(const documents& of, std::uint64_t best, const std::vector<similar_pair>& pairs) {
  const std::uint64_t each = std::min(best, of.rows - 1);
  REQUIRE(pairs.size() == of.rows * each);
  for (std::uint32_t i = 0; i < of.rows; ++i) {
    std::vector<double> cosines;
    for (std::uint32_t j = 0; j < of.rows; ++j) {
      if (j != i) cosines.push_back(of.cosine(i, j));
    }
    std::ranges::sort(cosines, std::greater{});
    std::set<std::uint32_t> others;
    for (std::uint64_t rank = 0; rank < each; ++rank) {
      const similar_pair& one = pairs[i * each + rank];
      REQUIRE(one.first == i);
      REQUIRE(one.second != i);
      REQUIRE(others.insert(one.second).second);
      REQUIRE(std::abs(one.cosine - of.cosine(i, one.second)) <= of.tolerance());
      REQUIRE(std::abs(one.cosine - cosines[rank]) <= of.tolerance());
      if (rank == 0) continue;
      const similar_pair& before = pairs[i * each + rank - 1];
      const bool in_order =
          before.cosine > one.cosine || (before.cosine == one.cosine && before.second < one.second);
      REQUIRE(in_order);
    }
  }
}

}  // namespace

TEST_CASE("each pair of rows meets once, and ranges have all whom rows meet", "[similarity]") {
  for (std::uint64_t n = 1; n < 24; ++n) {
    const cyclic_pairs band{n};
    for (std::uint64_t i = 0; i < n; ++i) {
      CHECK_FALSE(band.meets(i, i));
      for (std::uint64_t j = 0; j < i; ++j) CHECK(band.meets(i, j) != band.meets(j, i));
    }
    for (std::uint64_t begin = 0; begin < n; ++begin) {
      for (std::uint64_t end = begin + 1; end <= n; ++end) {
        std::vector<int> times(n);
        for (const cyclic_pairs::range one : band.others(begin, end)) {
          REQUIRE(one.end <= n);
          for (std::uint64_t j = one.begin; j < one.end; ++j) ++times[j];
        }
        for (std::uint64_t j = 0; j < n; ++j) {
          REQUIRE(times[j] <= 1);
          for (std::uint64_t i = begin; i < end; ++i) {
            if (band.meets(i, j)) REQUIRE(times[j] == 1);
          }
        }
      }
    }
  }
}

TEST_CASE("similar pairs are those of a plain loop for any sizes and threads", "[similarity]") {
  std::mt19937_64 random(test::seed());
  for (int round = 0; round < 8; ++round) {
    const documents of(2 + random() % (round < 4 ? 8 : 150), 1 + random() % 20, random);
    const double threshold = std::uniform_real_distribution<double>(-1.1, 1.1)(random);
    const std::uint64_t best = 1 + random() % 12;
    CAPTURE(of.rows, of.columns, threshold, best);
    for (const unsigned threads : {1u, 3u}) {
      const run_options job{.device = device_choice::cpu, .threads = threads};
      check_above(of, threshold, similarity(of.view(), {.threshold = threshold, .run = job}));
      check_best(of, best, similarity(of.view(), {.top = best, .run = job}));
    }
  }
}

TEST_CASE("similar pairs in order are the same for any number of threads", "[similarity]") {
  std::mt19937_64 random(test::seed());
  const documents of(200, 33, random);
  const auto with = [&](unsigned threads) {
    const run_options job{.device = device_choice::cpu, .threads = threads};
    auto pairs = similarity(of.view(), {.threshold = 0.2, .kind = product_kind::ordered, .run = job});
    const auto best = similarity(of.view(), {.top = 5, .kind = product_kind::ordered, .run = job});
    pairs.insert(pairs.end(), best.begin(), best.end());
    return pairs;
  };
  const auto one = with(1);
  CHECK(with(2) == one);
  CHECK(with(5) == one);
}

TEST_CASE("similarity of degenerate vectors", "[similarity]") {
  const std::vector<float> numbers = {1, 2, 0, 0, 2, 4, -1, -2};
  CHECK(similarity({numbers.data(), 0, 2}).empty());
  CHECK(similarity({numbers.data(), 1, 2}).empty());
  // A vector of zeros has the cosine 0 with every other vector, also with zeros.
  const auto all = similarity({numbers.data(), 4, 2}, {.threshold = -1.0});
  REQUIRE(all.size() == 6);
  CHECK(all[0] == similar_pair{0, 1, 0});
  CHECK(all[1].cosine == Approx(1));
  CHECK(all[1].cosine <= 1);
  CHECK(all[2].cosine == Approx(-1));
  CHECK(all[3] == similar_pair{1, 2, 0});
  // `top` exceeds the number of other vectors, so all of them are kept.
  CHECK(similarity({numbers.data(), 4, 2}, {.top = 100}).size() == 12);
  // Of equal cosines, the smaller number wins.
  const auto best = similarity({numbers.data(), 4, 2}, {.top = 1});
  CHECK(best[1] == similar_pair{1, 0, 0});
}

TEST_CASE("similarity says which row has no length", "[similarity]") {
  std::vector<float> numbers(12, 1);
  numbers[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(similarity({numbers.data(), 6, 2}), input_error);
  CHECK_THROWS_WITH(similarity({numbers.data(), 6, 2}, {.name = "x.csv"}),
                    test::contains("x.csv") && test::contains("row 3"));
  numbers[7] = std::numeric_limits<float>::infinity();
  CHECK_THROWS_AS(similarity({numbers.data(), 6, 2}), input_error);
  CHECK_THROWS_AS(similarity({numbers.data(), 3, 2}, {.top = 0}), usage_error);
  CHECK_THROWS_AS(similarity({numbers.data(), 3, 0}), usage_error);
}

TEST_CASE("similar pairs are the same on a GPU, in order to the last bit", "[similarity][gpu][sanitize]") {
  if (test::no_gpu()) return;
  std::mt19937_64 random(test::seed());
  for (int round = 0; round < 3; ++round) {
    const documents of(2 + random() % 300, 1 + random() % 40, random);
    const double threshold = std::uniform_real_distribution<double>(-0.5, 0.9)(random);
    const std::uint64_t best = 1 + random() % 70;
    CAPTURE(of.rows, of.columns, threshold, best);
    for (const auto device : {device_choice::gpu, device_choice::cpu_gpu}) {
      const run_options there{.device = device};
      const run_options here{.device = device_choice::cpu};
      check_above(of, threshold, similarity(of.view(), {.threshold = threshold, .run = there}));
      check_best(of, best, similarity(of.view(), {.top = best, .run = there}));
      const auto in_order = product_kind::ordered;
      CHECK(similarity(of.view(), {.threshold = threshold, .kind = in_order, .run = there}) ==
            similarity(of.view(), {.threshold = threshold, .kind = in_order, .run = here}));
      CHECK(similarity(of.view(), {.top = best, .kind = in_order, .run = there}) ==
            similarity(of.view(), {.top = best, .kind = in_order, .run = here}));
    }
  }
}

TEST_CASE("similar pairs of more rows than a tile has, and more pairs than there is room for",
          "[similarity][gpu]") {
  if (test::no_gpu()) return;
  std::mt19937_64 random(test::seed());
  const documents of(6001, 17, random);
  const auto with = [&](device_choice device, double threshold) {
    return similarity(of.view(),
                      {.threshold = threshold, .kind = product_kind::ordered, .run = {.device = device}});
  };
  CHECK(with(device_choice::gpu, 0.5) == with(device_choice::cpu, 0.5));
  // All 18 million pairs are kept.
  CHECK(with(device_choice::gpu, -1).size() == of.rows * (of.rows - 1) / 2);
  const auto best = [&](device_choice device) {
    return similarity(of.view(), {.top = 33, .kind = product_kind::ordered, .run = {.device = device}});
  };
  CHECK(best(device_choice::gpu) == best(device_choice::cpu));
}

}  // namespace duomap::numeric_similarity_similarity_test
