// Support vector machines: training and classification.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "apps/algorithms/svm/svm_model.hpp"
#include "apps/algorithms/svm/svm_problem.hpp"
#include "core/iterative_report.hpp"
#include "core/job_options.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap {

/// Settings of svm_train().
struct svm_options {
  /// gamma: none is 1 / columns.
  kernel_kind kernel = kernel_kind::rbf;
  std::optional<double> gamma = std::nullopt;
  double coef0 = 0;
  std::uint32_t degree = 3;
  double c = 1;
  /// By label: its rows' C is c times this; 1 for labels that are not here.
  std::map<double, double> weights = {};
  double epsilon = 1e-3;
  svm_method method = svm_method::blocked;
  /// Of each pair of classes; 0: as LIBSVM, max(10^7, 100 rows).
  std::uint64_t most_iterations = 0;
  /// Memory for kernel rows, in bytes; 0: a quarter of what is free.
  std::uint64_t cache_bytes = 0;
  /// Where it runs, with how many threads, its report.
  job_options job = {};
};

/// What training one class against another took.
struct svm_pair {
  double first = 0, second = 0;  ///< labels
  double objective = 0;
  double rho = 0;
  double gap = 0;
  std::uint64_t iterations = 0;
  std::uint64_t rounds = 0;
  std::uint64_t support_vectors = 0;
  std::uint64_t bounded = 0;  ///< of them, those whose multiplier is its C
  bool converged = true;
};

struct svm_training {
  svm_model model;
  std::vector<svm_pair> pairs;
  /// A step is a round, which maps the rows of a pair of classes. Devices work one after the other.
  iterative_report report;
};

/// Trains C-SVC, one class against another for more than two. `labels`: of each row, any finite number. With
/// one class the model has no support vector and always says that class. A pair that reaches the cap of
/// iterations is told of in the report, with the gap that was left.
/// @throws usage_error when options or sizes make no sense; input_error when there are no rows or a value is
/// not finite; device_unavailable; out_of_memory; interrupted
[[nodiscard]] svm_training svm_train(const svm_rows& rows, std::span<const double> labels,
                                     const svm_options& options = {});

/// What is said of rows.
struct svm_answer {
  std::vector<double> labels;
  /// Of each row its f for each pair of classes, in the model's order.
  std::vector<double> values;
};

/// A model, made ready for rows that come part after part. Used by one thread at a time.
class svm_classifier {
 public:
  /// `model` must outlive this. Of the options device, gpus, threads, strict, timeline and control count.
  /// @throws device_unavailable
  explicit svm_classifier(const svm_model& model, const job_options& options = {});
  svm_classifier(const svm_classifier&) = delete;
  svm_classifier& operator=(const svm_classifier&) = delete;
  ~svm_classifier();

  /// Classifies rows, which may have more columns than the support vectors, or fewer: those are 0 there. The
  /// class with most votes wins, of equal ones the first in the model.
  /// @throws device_unavailable; device_lost; out_of_memory; interrupted
  [[nodiscard]] svm_answer classify(const svm_rows& rows);

  /// What the CPU and GPUs did, and why. A step is a call; of it, they map the rows.
  [[nodiscard]] iterative_report report() const;
  [[nodiscard]] unsigned workers() const noexcept;

 private:
  class implementation;
  std::unique_ptr<implementation> own_;
};

/// Classifies rows at once, as svm_classifier does, and fills in the report.
/// @throws input_error naming the first row with a value that is NaN or infinite
[[nodiscard]] svm_answer svm_classify(const svm_model& model, const svm_rows& rows,
                                      const job_options& options = {});

/// @throws input_error as svm_train() and svm_classify() do
void require_finite(const svm_rows& rows, worker_pool& pool);

/// Whether rows are sparse, and products of them are faster so.
[[nodiscard]] bool stays_sparse(const svm_rows& rows);

/// Rows that are dense, where that is faster than what `rows` are; as `rows` are if not.
class svm_layout {
 public:
  explicit svm_layout(const svm_rows& rows);

  [[nodiscard]] const svm_rows& rows() const noexcept { return rows_; }

 private:
  matrix<float> dense_;
  svm_rows rows_;
};

/// The same rows as an argument.
[[nodiscard]] svm_rows rows_of(const sparse_matrix<float>& sparse);
[[nodiscard]] svm_rows rows_of(matrix_view<float> dense);

}  // namespace duomap
