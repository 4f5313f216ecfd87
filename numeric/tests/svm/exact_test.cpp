// Tests numeric/svm/svm.hpp on columns of any scale: reported values and classes are those of float64.
#include "numeric/svm/centred_rows.hpp"
#include "numeric/svm/linear_gradient.hpp"
#include "numeric/tests/svm/svm_problems.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::numeric_svm_exact_test {

using numeric_svm_svm_test::kinds;

struct table {
  std::vector<double> values;
  std::vector<double> labels;
  std::uint64_t columns = 0;

  [[nodiscard]] svm_rows_of<double> rows() const {
    return rows_of(matrix_view<double>(std::span<const double>(values), columns));
  }
  [[nodiscard]] const double* row(std::size_t index) const { return values.data() + index * columns; }
};

/// Rows on both sides of a line, with noise. Column c is multiplied by scale[c], and gets the offset.
table rows_with(const std::vector<double>& scale, double offset, unsigned seed, std::size_t rows = 150) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise;
  table made;
  made.columns = scale.size();
  for (std::size_t i = 0; i < rows; ++i) {
    double score = 0.3 * noise(random);
    for (const double factor : scale) {
      const double value = noise(random);
      score += value;
      made.values.push_back(value * factor + offset);
    }
    made.labels.push_back(score > 0 ? 1 : -1);
  }
  return made;
}

double kernel_of(const svm_kernel& kernel, const double* x, const double* y, std::uint64_t columns) {
  double product = 0, distance = 0;
  for (std::uint64_t c = 0; c < columns; ++c) {
    product += x[c] * y[c];
    distance += (x[c] - y[c]) * (x[c] - y[c]);
  }
  switch (kernel.kind) {
    case kernel_kind::linear:
      return product;
    case kernel_kind::polynomial:
      return std::pow(kernel.gamma * product + kernel.coef0, kernel.degree);
    case kernel_kind::rbf:
      return std::exp(-kernel.gamma * distance);
    case kernel_kind::sigmoid:
      return std::tanh(kernel.gamma * product + kernel.coef0);
  }
  return 0;
}

/// The objective of a model of two classes.
double objective_of(const svm_model& model) {
  const matrix<double> vectors = dense_of(rows_of(model.rows));
  double sum = 0;
  for (std::uint64_t i = 0; i < vectors.rows(); ++i) {
    sum -= std::abs(model.coefficients[i]);
    for (std::uint64_t j = 0; j < vectors.rows(); ++j)
      sum += 0.5 * model.coefficients[i] * model.coefficients[j] *
             kernel_of(model.kernel, vectors.view().row(i).data(), vectors.view().row(j).data(),
                       vectors.columns());
  }
  return sum;
}

double accuracy(const svm_model& model, const table& of) {
  const std::vector<double> labels = svmclassify(model, of.rows()).labels;
  double right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += labels[i] == of.labels[i] ? 1 : 0;
  return right / static_cast<double>(labels.size());
}

TEST_CASE("svm: objective and convergence are true where float32 is too coarse for the columns", "[svm]") {
  const table data = rows_with({4000, 0.1, 30, 800}, 0, 1);
  for (const svm_method method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
    for (const kernel_kind kind : kinds) {
      CAPTURE(static_cast<int>(method), static_cast<int>(kind));
      const svm_options options{.kernel = kind,
                                .gamma = kind == kernel_kind::linear ? 1 : 1e-7,
                                .coef0 = 1,
                                .degree = 2,
                                .c = 10,
                                .method = method,
                                .max_iterations = 500'000};
      const svm_training trained = svmtrain(data.rows(), data.labels, options);
      CHECK(trained.pairs[0].objective == Approx(objective_of(trained.model)).epsilon(1e-7));
      CHECK(trained.pairs[0].converged == (trained.pairs[0].gap < 1e-3));
      CHECK(trained.unconverged() == (trained.pairs[0].converged ? 0 : 1));
      if (kind == kernel_kind::rbf) CHECK(trained.pairs[0].converged);
    }
  }
}

TEST_CASE("svm: the methods agree on an objective that float32 kernel values miss", "[svm]") {
  const table data = rows_with({700, 300, 100}, 0, 2, 300);
  std::vector<double> objectives;
  for (const svm_method method : {svm_method::blocked, svm_method::first_order, svm_method::second_order}) {
    const svm_training trained =
        svmtrain(data.rows(), data.labels, {.kernel = kernel_kind::linear, .c = 1, .method = method});
    REQUIRE(trained.pairs[0].converged);
    objectives.push_back(trained.pairs[0].objective);
  }
  CHECK(objectives[0] == Approx(objectives[2]).epsilon(1e-5));
  CHECK(objectives[1] == Approx(objectives[2]).epsilon(1e-5));
}

TEST_CASE("svm: rows far from 0 are told apart, also by a model that was written and read", "[svm]") {
  for (const kernel_kind kind : {kernel_kind::linear, kernel_kind::rbf}) {
    for (const double offset : {1e5, -1.7e9}) {
      CAPTURE(static_cast<int>(kind), offset);
      const double noise = offset > 0 ? 1e-3 : 10;
      const table data = rows_with({noise, noise}, offset, 3);
      const svm_options options{.kernel = kind,
                                .gamma = 0.5 / (noise * noise),
                                .c = kind == kernel_kind::linear ? 100 / (noise * noise) : 100};
      const svm_training trained = svmtrain(data.rows(), data.labels, options);
      CHECK(trained.pairs[0].converged);
      CHECK(accuracy(trained.model, data) > 0.9);
      CHECK(accuracy(svm_model_from_libsvm(to_libsvm(trained.model), "m"), data) > 0.9);
      // The objective is that of the rows without the offset.
      table near = data;
      for (double& value : near.values) value -= offset;
      const svm_training expected = svmtrain(near.rows(), data.labels, options);
      CHECK(trained.pairs[0].objective == Approx(expected.pairs[0].objective).epsilon(1e-3));
      // Sparse rows with a number in every column give the same.
      const sparse_matrix<double> sparse = sparse_of(data.rows());
      const svm_training again = svmtrain(rows_of(sparse), data.labels, options);
      CHECK(again.pairs[0].objective == Approx(expected.pairs[0].objective).epsilon(1e-3));
    }
  }
}

TEST_CASE("svm: a row's class is that of float64 sums where weights are large", "[svm]") {
  const table data = rows_with({900, 50, 3}, 0, 4);
  const svm_training trained =
      svmtrain(data.rows(), data.labels, {.kernel = kernel_kind::linear, .c = 1, .max_iterations = 300'000});
  const matrix<double> vectors = dense_of(rows_of(trained.model.rows));
  const svm_answer answer = svmclassify(trained.model, data.rows());
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    double f = -trained.model.rho[0];
    for (std::uint64_t s = 0; s < vectors.rows(); ++s)
      f += trained.model.coefficients[s] *
           kernel_of(trained.model.kernel, vectors.view().row(s).data(), data.row(i), data.columns);
    CHECK((f > 0 ? trained.model.classes[0] : trained.model.classes[1]) == answer.labels[i]);
    CHECK(std::abs(answer.values[i] - f) <= 0.1 * std::max(1.0, std::abs(f)));
  }
}

TEST_CASE("svm: kernel values of float64 are those of the library", "[svm]") {
  const table data = rows_with({1, 2, 0.5}, 0, 5, 70);
  for (const kernel_kind kind : kinds) {
    for (const double gamma : {0.001, 0.3, 40.0}) {
      const svm_kernel kernel{.kind = kind, .gamma = gamma, .coef0 = 0.5, .degree = 3};
      kernel_rows<double> all(data.rows(), kernel);
      panel_scratch<double> scratch;
      std::vector<double> values(70 * all.panel_rows());
      all.compute(data.rows(), squared_norms(data.rows()), 0, scratch, values.data());
      for (std::size_t i = 0; i < 70; ++i) {
        for (std::size_t j = 0; j < 70; ++j)
          CHECK(values[i * all.panel_rows() + j] ==
                Approx(kernel_of(kernel, data.row(i), data.row(j), 3)).epsilon(1e-10).margin(1e-15));
      }
    }
  }
}

TEST_CASE("svm: float64 goes on from multipliers that are not the optimum", "[svm]") {
  const table data = rows_with({1, 1}, 0, 6);
  std::vector<std::int8_t> sides;
  for (const double label : data.labels) sides.push_back(label > 0 ? 1 : -1);
  std::vector<float> rounded(data.values.begin(), data.values.end());
  sequential pool;
  svm_problem problem{.rows = rows_of(matrix_view<float>(std::span<const float>(rounded), 2)),
                      .labels = sides,
                      .kernel = {.gamma = 0.5}};
  const svm_solution whole = train_exactly(problem, data.rows(), pool);
  CHECK(whole.converged);
  problem.tolerance = 1;
  const std::vector<double> start = train_on(problem, pool).alpha;
  problem.start = start;
  problem.tolerance = 1e-3;
  const svm_solution rest = train_exactly(problem, data.rows(), pool);
  CHECK(rest.converged);
  CHECK(rest.iterations > 0);
  CHECK(rest.objective == Approx(whole.objective).epsilon(1e-3));
  problem.start = rest.alpha;
  CHECK(train_exactly(problem, data.rows(), pool).iterations == 0);
  problem.start = start;
  problem.max_iterations = problem.iterations_before = 5;
  const svm_solution none = train_exactly(problem, data.rows(), pool);
  CHECK(none.iterations == 0);
  CHECK_FALSE(none.converged);
  CHECK(none.alpha == start);
}

TEST_CASE("svm: f of the linear kernel keeps what float64 sums lose", "[svm]") {
  // w is the difference of numbers that are 2^60 times as large.
  const std::vector<double> values{1e9, 1e9 + 0x1p-20, 3};
  const std::vector<std::int8_t> sides{1, -1, 1};
  const svm_rows_of<double> rows = rows_of(matrix_view<double>(std::span<const double>(values), 1));
  const std::vector<double> start{0x1p20, 0x1p20, 0};
  svm_problem problem{.rows = {.rows = 3, .columns = 1},
                      .labels = sides,
                      .kernel = {.kind = kernel_kind::linear},
                      .positive_c = 1e9,
                      .negative_c = 1e9,
                      .start = start};
  multipliers all(problem);
  sequential pool;
  compute_linear_f(rows, all, pool);
  CHECK(all.f[0] == -1e9 - 1);
  CHECK(all.f[1] == -(1e9 + 0x1p-20) + 1);
  CHECK(all.f[2] == -4);
}

TEST_CASE("svm: columns that are far from 0 are moved and others are not", "[svm]") {
  const std::vector<double> values{1e9, 1, 0, 1e9 + 1, -2, 0, 1e9 + 2, 0, 0, 1e9 + 3, 5, 7};
  const svm_rows_of<double> rows = rows_of(matrix_view<double>(std::span<const double>(values), 3));
  const row_centre centre = centre_of(rows, kernel_kind::rbf);
  CHECK(centre.columns == std::vector<std::uint32_t>{0});
  CHECK(centre_of(rows, kernel_kind::polynomial).columns.empty());
  const centred_rows<float> dense(rows, centre);
  CHECK(dense.rows().dense[0] == -2);
  CHECK(dense.rows().dense[11] == 7);
  sparse_matrix<double> sparse = sparse_of(rows);
  CHECK(centre_of(rows_of(sparse), kernel_kind::rbf).columns == centre.columns);
  // One row has no number in the moved column, and gets one there.
  sparse.row_start.push_back(sparse.values.size());
  CHECK(centre_of(rows_of(sparse), kernel_kind::rbf).columns.empty());
  const centred_rows<float> moved(rows_of(sparse), centre);
  CHECK(moved.rows().values.back() == -1e9f - 2);
  CHECK(moved.rows().row_start[5] - moved.rows().row_start[4] == 1);
}

}  // namespace duomap::test::numeric_svm_exact_test
