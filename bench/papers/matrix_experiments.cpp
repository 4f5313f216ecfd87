// Makes the experiments on matrices: products, similarity scores and covariances.
#include "bench/baselines/add_products.hpp"
#include "bench/baselines/compare_vectors.hpp"
#include "bench/baselines/multiply_matrices.hpp"
#include "bench/papers/experiments.hpp"
#include "bench/papers/matrix_problem.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "numeric/matmul/matmul.hpp"
#include "numeric/pca/centred_sums.hpp"
#include "numeric/similarity/similarity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t features = 128;
constexpr double rounding = 1e-5;

/// The elements of a matrix, kept for comparison.
using numbers = std::vector<float>;

numbers numbers_of(const matrix<float>& from) {
  return {from.data(), from.data() + from.rows() * from.columns()};
}

struct product_problem : matrix_problem<numbers> {
  matrix<float> right;

  explicit product_problem(std::uint64_t n)
    : matrix_problem(synthetic_whole_numbers(n, n, seed)), right(synthetic_whole_numbers(n, n, seed + 1)) {}
};

bool same_cosines(const std::vector<similar_pair>& found, const std::vector<similar_pair>& expected) {
  return std::ranges::equal(found, expected, [](const similar_pair& a, const similar_pair& b) {
    return a.first == b.first && a.second == b.second &&
           std::abs(double{a.cosine} - double{b.cosine}) <= rounding;
  });
}

using sums = std::vector<double>;

bool same_sums(const centred_sums& sums_found, const sums& expected) {
  const matrix<double>& found = sums_found.products;
  const std::uint64_t columns = found.columns();
  const double scale = *std::ranges::max_element(expected);  // the largest is a sum of squares
  bool same = expected.size() == columns * found.rows();
  for (std::uint64_t i = 0; same && i < expected.size(); ++i)
    same = std::abs(found.data()[i] - expected[i]) <= rounding * scale;
  return same;
}

}  // namespace

experiment matmul_experiment(std::uint64_t n) {
  const auto of = std::make_shared<product_problem>(n);
  const double size = static_cast<double>(n);
  experiment all{.work_unit = "FLOP", .work = 2 * size * size * size};
  add_baseline(all, of, [](const product_problem& factors, unsigned /*threads*/) {
    return numbers_of(multiply_in_loops(factors.rows.view(), factors.right.view()));
  });
  add_baseline(all, of, [](const product_problem& factors, unsigned threads) {
    return numbers_of(multiply_with_tbb(factors.rows.view(), factors.right.view(), threads));
  });
  add_duomap(
      all, of,
      [](const product_problem& factors, const run_options& how) {
        return matmul(factors.rows.view(), factors.right.view(), {.run = how});
      },
      [](const matrix<float>& product, const numbers& expected) { return numbers_of(product) == expected; });
  return all;
}

experiment similarity_experiment(std::uint64_t vectors) {
  using answer = std::vector<similar_pair>;
  // Whole numbers of both signs; numbers of one sign would make all cosines large.
  const auto of = std::make_shared<matrix_problem<answer>>(synthetic_whole_numbers(vectors, features, seed));
  const double rows = static_cast<double>(vectors);
  experiment all{.work_unit = "pairs", .work = rows * (rows - 1) / 2};
  add_baseline(all, of, [](const auto& from, unsigned /*threads*/) {
    return compare_vectors_in_one_loop(from.rows.view());
  });
  add_duomap(
      all, of,
      [](const auto& from, const run_options& how) {
        return similarity(from.rows.view(), {.threshold = -1, .run = how});
      },
      same_cosines);
  return all;
}

experiment covariance_experiment(std::uint64_t rows, std::uint32_t columns) {
  const auto of = std::make_shared<matrix_problem<sums>>(rows, columns, seed);
  experiment all{.work_unit = "rows", .work = static_cast<double>(rows)};
  add_baseline(all, of, [](const auto& from, unsigned /*threads*/) {
    const matrix<double> products = add_products_in_loops(from.rows.view());
    return sums(products.data(), products.data() + products.rows() * products.columns());
  });
  add_duomap(
      all, of,
      [](const auto& from, const run_options& how) {
        const auto pool = cpu::machine_pool(how.threads, view_input(from.rows.view().bytes()));
        return centred_sums_of(from.rows.view(), "the rows", false, *pool, how);
      },
      same_sums);
  return all;
}

}  // namespace duomap::apps
