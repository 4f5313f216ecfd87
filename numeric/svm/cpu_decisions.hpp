// Classifies by support vectors on the CPU: computes a row's decision values, and its label from these
// values.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "numeric/svm/centred_rows.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/svm.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"
#include "scheduler/iterative/step_log.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace duomap {

/// A view of some rows with another number of columns.
template <class T>
[[nodiscard]] svm_rows_of<T> with_columns(svm_rows_of<T> rows, std::uint64_t columns) {
  rows.columns = columns;
  return rows;
}

/// The index of the pair of classes a < b.
[[nodiscard]] inline std::uint64_t pair_of(std::uint64_t a, std::uint64_t b, std::uint64_t classes) {
  return a * classes - a * (a + 1) / 2 + (b - a - 1);
}

/// Calls visit(pair, vector, weight) for each support vector in each pair of its class.
template <class Visit>
void for_each_weight(const svm_model& model, const Visit& visit) {
  const std::uint64_t classes = model.classes.size(), vectors = model.rows.rows();
  std::uint64_t vector = 0;
  for (std::uint64_t a = 0; a < classes; ++a) {
    for (const std::uint64_t end = vector + model.rows_of_class[a]; vector < end; ++vector) {
      for (std::uint64_t other = 0; other + 1 < classes; ++other) {
        const std::uint64_t b = other < a ? other : other + 1;
        visit(pair_of(std::min(a, b), std::max(a, b), classes), vector,
              model.coefficients[other * vectors + vector]);
      }
    }
  }
}

/// For each pair of classes, the amount by which rho falls when `centre` is subtracted from rows.
[[nodiscard]] std::vector<double> rho_shift(const svm_model& model, const row_centre& centre);

/// The centre to subtract from rows and from the model's support vectors. Empty unless the weights of the
/// support vectors add up to 0, as in every trained model.
[[nodiscard]] row_centre centre_of(const svm_model& model);

/// The support vectors after a centre was subtracted, and their rho. The vectors are dense or sparse, and as
/// wide as the rows to classify.
template <class T>
class prepared_vectors {
 public:
  prepared_vectors(const svm_model& model, const row_centre& centre, bool is_sparse, std::uint64_t columns)
    : moved_(with_columns(rows_of(model.rows), columns), centre),
      dense_(is_sparse ? matrix<T>() : dense_of(moved_.rows())),
      rows_(is_sparse ? moved_.rows() : rows_of(dense_.view())),
      norms_(squared_norms(rows_)),
      rho_(model.rho) {
    const std::vector<double> shift = rho_shift(model, centre);
    for (std::size_t pair = 0; pair < shift.size(); ++pair) rho_[pair] -= shift[pair];
  }

  [[nodiscard]] const svm_rows_of<T>& rows() const noexcept { return rows_; }
  [[nodiscard]] std::span<const T> norms() const noexcept { return norms_; }
  [[nodiscard]] std::span<const double> rho() const noexcept { return rho_; }
  [[nodiscard]] bool are(bool sparse, std::uint64_t columns) const noexcept {
    return rows_.is_sparse() == sparse && rows_.columns == columns;
  }

 private:
  centred_rows<T> moved_;
  matrix<T> dense_;
  svm_rows_of<T> rows_;
  std::vector<T> norms_;
  std::vector<double> rho_;
};

/// The class with most votes among the decision values of all pairs of classes.
[[nodiscard]] double label_of(const svm_model& model, const double* values);

/// Takes panels until none are left. Writes the sum of each row and pair into answer.values, and the label
/// into answer.labels. Expands sparse rows panel by panel when the vectors are dense. One worker first runs
/// `beside`, if given. Kernel values are T.
template <class T>
void sum_on_cpu(const svm_model& model, const svm_rows_of<T>& rows, const prepared_vectors<T>& vectors,
                scheduler::interval& panels, worker_pool& pool, const run_control* control,
                svm_answer& answer, scheduler::step_log* log, const std::function<void()>& beside);

}  // namespace duomap
