// Tests each numeric function against exact arithmetic, within the error that docs/reference/numeric.md
// states: numbers of all scales, offsets, outliers, denormals, equal rows. DUOMAP_EXACT is the number of
// cases of each kind.
#include "core/error.hpp"
#include "numeric/kmeans/kmeans.hpp"
#include "numeric/knn/knn.hpp"
#include "numeric/matmul/matmul.hpp"
#include "numeric/pca/pca.hpp"
#include "numeric/similarity/similarity.hpp"
#include "tests/catch.hpp"
#include "tests/support/exact_number.hpp"
#include "tests/support/quick.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace duomap::test::numeric_exact_answers_test {
namespace {

std::uint64_t cases() {
  if (const char* const asked = std::getenv("DUOMAP_EXACT")) return std::strtoull(asked, nullptr, 10);
  return quick() ? 100 : 1000;
}

template <class T>
constexpr double unit = sizeof(T) == sizeof(float) ? 0x1p-24 : 0x1p-53;

template <class T>
struct rows_of_case {
  std::uint64_t columns;
  std::vector<T> values;

  [[nodiscard]] std::uint64_t rows() const { return values.size() / columns; }
  [[nodiscard]] matrix_view<T> view() const { return {values, columns}; }
  [[nodiscard]] exact_number at(std::uint64_t row, std::uint64_t column) const {
    return static_cast<double>(values[row * columns + column]);
  }
};

/// Random rows of one of seven kinds. Their scale is at most 2^900, or as large as T allows.
template <class T>
rows_of_case<T> make_rows(std::uint64_t rows, std::uint64_t columns, std::mt19937_64& random) {
  constexpr int widest = sizeof(T) == sizeof(float) ? 140 : 1040;
  const auto between = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<std::uint64_t>(most - least + 1));
  };
  const int scale = random() % 3 == 0 ? between(-widest, widest * 9 / 10) : between(-20, 20);
  const int kind = between(0, 6);
  const T offset = kind == 1 ? std::ldexp(T{1}, std::min(scale + between(1, 60), widest * 9 / 10))
                   : kind == 2
                       ? std::ldexp(static_cast<T>(0.7), std::min(scale + between(1, 30), widest * 9 / 10))
                       : T{0};
  std::uniform_real_distribution<double> any(-1, 1);
  const auto number = [&]() -> T {
    const auto x = static_cast<T>(any(random));
    switch (kind) {
      case 3:  // few values: ties and equal rows
        return std::ldexp(static_cast<T>(between(-2, 2)), scale);
      case 4:  // numbers of all scales in one table
        return std::ldexp(x, std::clamp(scale + between(-40, 40), -widest, widest * 9 / 10));
      default:
        return offset + std::ldexp(x, scale);
    }
  };
  rows_of_case<T> made{columns, {}};
  for (std::uint64_t i = 0; i < rows * columns; ++i) {
    const T one = number();
    made.values.push_back(std::isfinite(one) ? one : T{0});
  }
  if (kind == 5) made.values.back() = std::ldexp(T{1}, std::min(scale + between(1, 90), widest * 9 / 10));
  if (kind == 6) {  // some rows are equal to others
    for (std::uint64_t row = 1; row < rows; ++row) {
      if (random() % 2 == 0) continue;
      std::copy_n(made.values.begin() + static_cast<std::ptrdiff_t>((random() % row) * columns), columns,
                  made.values.begin() + static_cast<std::ptrdiff_t>(row * columns));
    }
  }
  return made;
}

/// Calls check(random) for each case, and reports the number of refused cases.
template <class Check>
void for_each_case(const Check& check) {
  const std::uint64_t count = cases();
  std::uint64_t refused = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t of_case = seed() + i * 0x9e3779b97f4a7c15u;
    CAPTURE(i, of_case);
    std::mt19937_64 random(of_case);
    if (!check(random)) ++refused;
  }
  if (std::getenv("DUOMAP_EXACT") != nullptr)
    WARN(count << " cases, of which " << refused << " were refused");
  CHECK(refused < count / 2);
}

/// Returns false if the call refuses numbers for their sizes. Any other error fails the test.
template <class Call>
bool accepts(const Call& call) {
  try {
    call();
    return true;
  } catch (const usage_error& problem) {
    const std::string what = problem.what();
    const bool by_size = what.find("too large") != std::string::npos ||
                         what.find("too small") != std::string::npos ||
                         what.find("so far away and others so close") != std::string::npos;
    REQUIRE(by_size);
    return false;
  }
}

template <class Left, class Right>
exact_number exact_square(const Left& left, std::uint64_t i, const Right& right, std::uint64_t j) {
  exact_number sum;
  for (std::uint64_t c = 0; c < left.columns; ++c) {
    const exact_number by = left.at(i, c) - right.at(j, c);
    sum = sum + by * by;
  }
  return sum;
}

bool near_to(const many_digits& found, const many_digits& exact, const many_digits& error) {
  return abs(found - exact) <= error;
}

}  // namespace

TEMPLATE_TEST_CASE("exact answers: nearest neighbours", "[exact]", float, double) {
  for_each_case([](std::mt19937_64& random) {
    const std::uint64_t columns = 1 + random() % 9;
    auto training = make_rows<TestType>(2 + random() % 7, columns, random);
    auto queries = make_rows<TestType>(2, columns, random);
    // Some queries are equal to training rows.
    std::copy_n(training.values.begin(), columns, queries.values.begin());
    if (random() % 2 == 0)
      std::copy_n(training.values.end() - static_cast<std::ptrdiff_t>(columns), columns,
                  queries.values.end() - static_cast<std::ptrdiff_t>(columns));
    const auto k = static_cast<std::uint32_t>(1 + random() % training.rows());
    knn_result found;
    if (!accepts([&] {
          found = knn(training.view(), queries.view(),
                      {.k = k, .run = {.device = device_choice::cpu, .threads = 1}});
        }))
      return false;
    const many_digits error = (static_cast<double>(columns) / 8 + 7) * 0x1p-53;
    for (std::uint64_t query = 0; query < 2; ++query) {
      std::vector<many_digits> exact;
      for (std::uint64_t row = 0; row < training.rows(); ++row)
        exact.push_back(sqrt(exact_square(queries, query, training, row).digits()));
      std::vector<bool> returned(training.rows());
      many_digits last = 0;
      for (const neighbour& one : found.of(query)) {
        const many_digits& distance = exact[one.index];
        REQUIRE(near_to(one.score, distance, distance * error + 0x1p-1074));
        REQUIRE(last <= distance * (1 + 2 * error));
        last = distance;
        returned[one.index] = true;
      }
      for (std::uint64_t row = 0; row < training.rows(); ++row) {
        if (!returned[row]) REQUIRE(exact[row] * (1 + 2 * error) >= last);
      }
    }
    return true;
  });
}

TEMPLATE_TEST_CASE("exact answers: k-means", "[exact]", float, double) {
  for_each_case([](std::mt19937_64& random) {
    const std::uint64_t columns = 1 + random() % 3;
    const auto points = make_rows<TestType>(2 + random() % 10, columns, random);
    const auto k = static_cast<std::uint32_t>(1 + random() % std::min<std::uint64_t>(points.rows(), 4));
    sequential alone;
    kmeans_result found;
    if (!accepts([&] {
          found = kmeans(points.view(),
                         {.clusters = k,
                          .tolerance = 0,
                          .seed = random(),
                          .labels = true,
                          .run = {.device = device_choice::cpu}},
                         alone);
        }))
      return false;
    const bool is_double = std::is_same_v<TestType, double>;
    const auto width = static_cast<double>(columns);
    rows_of_case<double> centres{columns, {}};
    for (const double one : found.centers.view().values()) centres.values.push_back(one);
    exact_number all, widest;
    std::vector<std::uint64_t> sizes(k);
    for (std::uint64_t row = 0; row < points.rows(); ++row) {
      ++sizes[found.labels[row]];
      all = all + exact_square(points, row, centres, found.labels[row]);
      for (std::uint64_t other = 0; other < row; ++other) {
        const exact_number square = exact_square(points, row, points, other);
        if (widest < square) widest = square;
      }
    }
    REQUIRE(sizes == found.sizes);
    const many_digits relative = is_double ? (width + 2057) * 0x1p-53 : 0x1p-20 + 0x1p-10;
    const many_digits inertia = all.digits();
    // The centre of floats is rounded to the grid, by 2^-41 of the largest distance.
    const many_digits of_grid =
        is_double ? many_digits(0)
                  : many_digits(static_cast<double>(points.rows()) * width * 0x1p-80) * widest.digits();
    // Squares below T's least number are lost.
    const double least = static_cast<double>(points.rows()) * width * 0x1p-1074;
    REQUIRE(near_to(found.inertia, inertia, inertia * relative + of_grid + least));
    // Every point has the label of its nearest centre, up to the rounding of scores.
    if (!found.loss.empty()) return true;
    const many_digits rounding = many_digits(8 * (width + 3) * unit<TestType>) * widest.digits();
    for (std::uint64_t row = 0; row < points.rows(); ++row) {
      const many_digits mine = exact_square(points, row, centres, found.labels[row]).digits();
      for (std::uint32_t c = 0; c < k; ++c)
        REQUIRE(mine <= exact_square(points, row, centres, c).digits() + rounding);
    }
    return true;
  });
}

TEMPLATE_TEST_CASE("exact answers: principal components", "[exact]", float, double) {
  for_each_case([](std::mt19937_64& random) {
    const std::uint64_t columns = 1 + random() % 4;
    const auto table = make_rows<TestType>(2 + random() % 10, columns, random);
    pca_result found;
    if (!accepts([&] { found = pca(table.view(), {.run = {.device = device_choice::cpu, .threads = 1}}); }))
      return false;
    if (!found.loss.empty()) return true;
    const auto rows = static_cast<int>(table.rows());
    std::vector<exact_number> sums(columns);
    for (std::uint64_t c = 0; c < columns; ++c) {
      for (std::uint64_t row = 0; row < table.rows(); ++row) sums[c] = sums[c] + table.at(row, c);
    }
    // Returns the sum of products about the means, times the number of rows.
    const auto products = [&](std::uint64_t i, std::uint64_t j) {
      exact_number sum;
      for (std::uint64_t row = 0; row < table.rows(); ++row) sum = sum + table.at(row, i) * table.at(row, j);
      return (sum * rows - sums[i] * sums[j]).digits() / rows;
    };
    std::vector<many_digits> squares;
    for (std::uint64_t c = 0; c < columns; ++c) squares.push_back(products(c, c));
    for (std::uint64_t i = 0; i < columns; ++i) {
      const many_digits deviation = sqrt(squares[i] / rows);
      const many_digits mean = sums[i].digits() / rows;
      REQUIRE(
          near_to(found.mean[i], mean, 520 * unit<TestType> * deviation + abs(mean) * 0x1p-52 + 0x1p-1074));
      for (std::uint64_t j = i; j < columns; ++j) {
        const many_digits product = many_digits(found.covariance.row(i)[j]) * (rows - 1);
        REQUIRE(near_to(product, products(i, j),
                        520 * unit<TestType> * sqrt(squares[i] * squares[j]) + 0x1p-1070));
      }
    }
    return true;
  });
}

TEST_CASE("exact answers: similarity", "[exact]") {
  for_each_case([](std::mt19937_64& random) {
    const std::uint64_t columns = 1 + random() % 20;
    const auto vectors = make_rows<float>(2 + random() % 6, columns, random);
    const bool by_threshold = random() % 2 == 0;
    similarity_options options{.top = vectors.rows(), .run = {.device = device_choice::cpu, .threads = 1}};
    if (by_threshold) options.threshold = random() % 2 == 0 ? 1.0 : 0.5;
    const auto product = [&](std::uint64_t i, std::uint64_t j) {
      exact_number sum;
      for (std::uint64_t c = 0; c < columns; ++c) sum = sum + vectors.at(i, c) * vectors.at(j, c);
      return sum;
    };
    const auto cosine = [&](std::uint64_t i, std::uint64_t j) -> many_digits {
      const many_digits squares = product(i, i).digits() * product(j, j).digits();
      return squares == 0 ? many_digits(0) : many_digits(product(i, j).digits() / sqrt(squares));
    };
    const double error = (static_cast<double>(columns) + 4) * 0x1p-24;
    std::vector<bool> found(vectors.rows() * vectors.rows());
    for (const similar_pair& one : similarity(vectors.view(), options)) {
      found[one.first * vectors.rows() + one.second] = true;
      REQUIRE(one.cosine <= 1);
      REQUIRE(one.cosine >= -1);
      REQUIRE(near_to(one.cosine, cosine(one.first, one.second), error));
      const auto left = vectors.view().row(one.first), right = vectors.view().row(one.second);
      if (std::ranges::equal(left, right) && std::ranges::count(left, 0.0f) < std::ranges::ssize(left))
        REQUIRE(one.cosine == 1);
    }
    if (!by_threshold) return true;
    const many_digits rounding = (static_cast<double>(columns) + 8) * 0x1p-52;
    for (std::uint64_t i = 0; i < vectors.rows(); ++i) {
      for (std::uint64_t j = i + 1; j < vectors.rows(); ++j) {
        const many_digits exact = cosine(i, j);
        if (exact >= *options.threshold + rounding || exact == *options.threshold)
          REQUIRE(found[i * vectors.rows() + j]);
        if (exact < *options.threshold - rounding) REQUIRE_FALSE(found[i * vectors.rows() + j]);
      }
    }
    return true;
  });
}

TEMPLATE_TEST_CASE("exact answers: matrix products", "[exact]", float, double) {
  for_each_case([](std::mt19937_64& random) {
    const std::uint64_t terms = 1 + random() % 40, columns = 1 + random() % 3;
    const auto left = make_rows<TestType>(1 + random() % 3, terms, random);
    const auto right = make_rows<TestType>(terms, columns, random);
    const product_kind kind = random() % 2 == 0 ? product_kind::plain : product_kind::ordered;
    const matrix<TestType> found = matmul(
        left.view(), right.view(), {.run = {.device = device_choice::cpu, .threads = 1}, .kind = kind});
    const double whole = largest_whole_sum(left.view(), right.view());
    for (std::uint64_t row = 0; row < left.rows(); ++row) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        exact_number sum;
        many_digits sizes = 0;
        for (std::uint64_t i = 0; i < terms; ++i) {
          const exact_number product = left.at(row, i) * right.at(i, c);
          sum = sum + product;
          sizes += abs(product.digits());
        }
        const many_digits exact = sum.digits();
        const double one = static_cast<double>(found.row(row)[c]);
        // A sum that overflows is infinite, or NaN where infinities of both signs meet.
        if (!std::isfinite(one)) {
          REQUIRE(sizes * (1 + 64 * unit<TestType>) > many_digits(std::numeric_limits<TestType>::max()));
          continue;
        }
        // Products below T's least number are lost.
        const many_digits least = std::numeric_limits<TestType>::denorm_min();
        REQUIRE(near_to(one, exact, static_cast<double>(terms) * (unit<TestType> * sizes + least)));
        if (whole > 0 && whole <= largest_whole<TestType>) REQUIRE(many_digits(one) == exact);
      }
    }
    return true;
  });
}

}  // namespace duomap::test::numeric_exact_answers_test
