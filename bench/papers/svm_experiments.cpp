// Makes the experiments on support vector machines: training and classification.
#include "bench/baselines/smo_loop.hpp"
#include "bench/papers/experiments.hpp"
#include "bench/papers/matrix_problem.hpp"
#include "numeric/svm/svm.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t columns = 16;
constexpr std::uint64_t trained_rows = 1000;
constexpr double gamma_of_kernel = 0.5;

struct training_problem : matrix_problem<smo_solution> {
  std::vector<double> labels;

  /// Labels a row by whether it lies inside a sphere that holds half of the cube. The last column is noise
  /// that changes the sphere's size, so the classes overlap.
  explicit training_problem(std::uint64_t count) : matrix_problem(count, columns, seed) {
    for (std::uint64_t r = 0; r < count; ++r) {
      double squares = 0;
      for (std::uint64_t c = 0; c + 1 < columns; ++c)
        squares += (double{rows.row(r)[c]} - 0.5) * (double{rows.row(r)[c]} - 0.5);
      const double noise = 0.3 * (double{rows.row(r)[columns - 1]} - 0.5);
      labels.push_back(squares + noise < (columns - 1) / 12.0 ? 1 : -1);
    }
  }

  [[nodiscard]] smo_problem problem() const {
    return {.rows = rows.view(), .labels = labels, .gamma = gamma_of_kernel};
  }
};

struct classification_problem : matrix_problem<std::vector<double>> {
  svm_model model;
  matrix<float> vectors;  ///< the model's support vectors as dense rows

  explicit classification_problem(std::uint64_t count) : matrix_problem(count, columns, seed + 1) {
    const training_problem from(trained_rows);
    model = svmtrain(rows_of(from.rows.view()), from.labels,
                     {.gamma = gamma_of_kernel, .run = {.device = device_choice::cpu}})
                .model;
    vectors = matrix<float>(model.rows.rows(), columns, "the support vectors");
    for (std::uint64_t v = 0; v < model.rows.rows(); ++v) {
      const auto in = model.rows.columns_of_row(v);
      for (std::size_t k = 0; k < in.size(); ++k)
        vectors.row(v)[in[k]] = static_cast<float>(model.rows.values_of_row(v)[k]);
    }
  }
};

bool same_labels(const svm_answer& found, const svm_model& model, const std::vector<double>& values) {
  constexpr double boundary = 1e-4;
  bool same = found.labels.size() == values.size();
  for (std::size_t r = 0; same && r < values.size(); ++r) {
    const double label = values[r] > 0 ? model.classes[0] : model.classes[1];
    same = found.labels[r] == label || std::abs(values[r]) < boundary;
  }
  return same;
}

}  // namespace

experiment svm_training_experiment(std::uint64_t rows) {
  const auto of = std::make_shared<training_problem>(rows);
  experiment all{.work_unit = "rows", .work = static_cast<double>(rows)};
  add_baseline(
      all, of,
      [](const training_problem& from, unsigned /*threads*/) { return train_in_loops(from.problem()); },
      [](const smo_solution& a, const smo_solution& b) { return a.objective == b.objective; });
  add_duomap(
      all, of,
      [](const training_problem& from, const run_options& how) {
        return svmtrain(rows_of(from.rows.view()), from.labels, {.gamma = gamma_of_kernel, .run = how});
      },
      [](const svm_training& found, const smo_solution& expected) {
        constexpr double near = 1e-3;
        return found.pairs.size() == 1 && std::abs(found.pairs[0].objective / expected.objective - 1) < near;
      });
  return all;
}

experiment svm_classification_experiment(std::uint64_t rows) {
  const auto of = std::make_shared<classification_problem>(rows);
  experiment all{.work_unit = "rows", .work = static_cast<double>(rows)};
  add_baseline(all, of, [](const classification_problem& from, unsigned /*threads*/) {
    return decide_in_loops(from.rows.view(), from.vectors.view(), from.model.coefficients, gamma_of_kernel,
                           from.model.rho.front());
  });
  add_duomap(
      all, of,
      [](const classification_problem& from, const run_options& how) {
        return svmclassify(from.model, rows_of(from.rows.view()), how);
      },
      [of](const svm_answer& found, const std::vector<double>& expected) {
        return same_labels(found, of->model, expected);
      });
  return all;
}

}  // namespace duomap::apps
