// Trains support vector machines, and classifies with them.
// host only
#pragma once

#include "core/iterative_report.hpp"
#include "core/run_options.hpp"
#include "numeric/common/matrix.hpp"
#include "numeric/svm/svm_model.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap {

/// Settings of svmtrain().
struct svm_options {
  /// The kernel. Without a value, gamma is 1 / columns.
  kernel_kind kernel = kernel_kind::rbf;
  std::optional<double> gamma = std::nullopt;
  double coef0 = 0;
  std::uint32_t degree = 3;
  double c = 1;
  /// The factor of C for the rows with a label; 1 for labels that are not here.
  std::map<double, double> weights = {};
  double tolerance = 1e-3;
  svm_method method = svm_method::blocked;
  /// The limit of iterations for each pair of classes; 0: the limit of LIBSVM, which is the larger of 10^7
  /// and 100 times the number of rows.
  std::uint64_t max_iterations = 0;
  /// Memory for kernel rows, in bytes; 0: a quarter of the free memory.
  std::uint64_t cache_bytes = 0;
  /// The devices, threads and report of the run.
  run_options run = {};
};

/// The result of training one class against another.
struct svm_pair {
  double first = 0, second = 0;  ///< labels of the two classes
  double objective = 0;
  double rho = 0;
  double gap = 0;
  std::uint64_t iterations = 0;
  std::uint64_t rounds = 0;
  std::uint64_t support_vectors = 0;
  std::uint64_t bounded = 0;  ///< support vectors whose multiplier is its C
  bool converged = true;
};

struct svm_training {
  svm_model model;
  std::vector<std::uint32_t> support;  ///< the row of each support vector in the training data
  std::vector<svm_pair> pairs;
  /// The number of pairs that did not converge. Their model is not the best possible.
  [[nodiscard]] std::uint64_t unconverged() const {
    return static_cast<std::uint64_t>(std::ranges::count(pairs, false, &svm_pair::converged));
  }
  /// A step is a round, which maps the rows of one pair of classes. Devices work one after another.
  iterative_report report;
};

/// Trains C-SVC, and for more than two classes every class against every other. `labels`: one finite number
/// for each row. With a single class the model has no support vector and always answers this class.
///
/// Devices compute kernel values in float32, after moving rows that float32 would not tell apart. Then the
/// CPU computes all gradients anew in float64 from the unmoved rows, and continues in float64 until the
/// criterion holds for these gradients. So objective, rho and gap are true. The report names each pair that
/// reaches the limit of iterations first, and its remaining gap.
/// @throws usage_error when options or sizes make no sense; input_error when there are no rows or a value is
/// not finite; device_unavailable; out_of_memory; interrupted
[[nodiscard]] svm_training svmtrain(const svm_rows& rows, std::span<const double> labels,
                                    const svm_options& options = {});
[[nodiscard]] svm_training svmtrain(const svm_rows_of<double>& rows, std::span<const double> labels,
                                    const svm_options& options = {});

/// The labels and decision values of rows.
struct svm_answer {
  std::vector<double> labels;
  /// Row after row, the decision value f (svm_model.hpp) of each pair of classes in the model's order.
  std::vector<double> values;
};

/// A model that is ready to classify rows part by part. Only one thread may use it at a time.
class svm_classifier {
 public:
  /// `model` must outlive this. The constructor uses the options device, gpus, threads, strict, timeline and
  /// control.
  /// @throws device_unavailable
  explicit svm_classifier(const svm_model& model, const run_options& options = {});
  svm_classifier(const svm_classifier&) = delete;
  svm_classifier& operator=(const svm_classifier&) = delete;
  ~svm_classifier();

  /// Classifies rows. They may have more columns than the support vectors, or fewer: missing columns are 0.
  /// The class with most votes wins, of equal ones the first in the model. Values are computed in float32. If
  /// rounding might change a value of a row by a tenth, or its sign, the row is computed again in float64.
  /// @throws device_unavailable; device_lost; out_of_memory; interrupted
  [[nodiscard]] svm_answer classify(const svm_rows& rows);
  [[nodiscard]] svm_answer classify(const svm_rows_of<double>& rows);

  /// The work of the CPU and the GPUs, and the reasons for the split between them. A step is one classify().
  [[nodiscard]] iterative_report report() const;
  [[nodiscard]] unsigned workers() const noexcept;

 private:
  class implementation;
  std::unique_ptr<implementation> own_;
};

/// Classifies all rows at once, as svm_classifier does, and fills in the report.
/// @throws input_error naming the first row with a value that is NaN or infinite
[[nodiscard]] svm_answer svmclassify(const svm_model& model, const svm_rows& rows,
                                     const run_options& options = {});
[[nodiscard]] svm_answer svmclassify(const svm_model& model, const svm_rows_of<double>& rows,
                                     const run_options& options = {});

/// @throws input_error as svmtrain() and svmclassify() do
void require_finite(const svm_rows& rows, worker_pool& pool);

/// Whether rows are sparse, and sparse products of them are faster than dense ones.
template <class T>
[[nodiscard]] bool stays_sparse(const svm_rows_of<T>& rows) {
  // A number takes about four times as long in a sparse product as in a dense one.
  return rows.is_sparse() && rows.entries() * 4 < rows.rows * rows.columns;
}

/// The rows of a matrix, sparse or dense, in the one form that training and classification take. Copies no
/// numbers.
template <class T>
[[nodiscard]] svm_rows_of<T> rows_of(const sparse_matrix<T>& sparse) {
  return {.rows = sparse.rows(),
          .columns = sparse.columns,
          .row_start = sparse.row_start,
          .column_of = sparse.column_of,
          .values = sparse.values};
}
template <class T>
[[nodiscard]] svm_rows_of<T> rows_of(matrix_view<T> dense) {
  return {.rows = dense.rows, .columns = dense.columns, .dense = dense.values()};
}

}  // namespace duomap
