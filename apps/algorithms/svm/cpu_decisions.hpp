// Classification by support vectors on the CPU, and what the decision values of a row say.
// host only
#pragma once

#include "apps/algorithms/svm/kernel_rows.hpp"
#include "apps/algorithms/svm/svm.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"
#include "scheduler/iterative/step_log.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace duomap {

/// The same rows, of more columns.
[[nodiscard]] inline svm_rows with_columns(svm_rows rows, std::uint64_t columns) {
  rows.columns = columns;
  return rows;
}

/// The support vectors, dense or sparse, and as wide as the rows are that they meet.
class prepared_vectors {
 public:
  prepared_vectors(const svm_model& model, bool is_sparse, std::uint64_t columns)
    : dense_(is_sparse ? matrix<float>() : dense_of(with_columns(rows_of(model.rows), columns))),
      rows_(is_sparse ? with_columns(rows_of(model.rows), columns) : rows_of(dense_.view())),
      norms_(squared_norms(rows_)) {}

  [[nodiscard]] const svm_rows& rows() const noexcept { return rows_; }
  [[nodiscard]] std::span<const float> norms() const noexcept { return norms_; }
  [[nodiscard]] bool are(bool sparse, std::uint64_t columns) const noexcept {
    return rows_.is_sparse() == sparse && rows_.columns == columns;
  }

 private:
  matrix<float> dense_;
  svm_rows rows_;
  std::vector<float> norms_;
};

/// What the values of all pairs of classes say of a row.
[[nodiscard]] double label_of(const svm_model& model, const double* values);

/// Panels that nobody has taken: the sums of each row and pair into answer.values, and what they say. Sparse
/// rows are made dense panel by panel where the vectors are. With `beside`, that is done by one of the
/// workers before it takes panels.
void sum_on_cpu(const svm_model& model, const svm_rows& rows, const prepared_vectors& vectors,
                scheduler::interval& panels, worker_pool& pool, const run_control* control,
                svm_answer& answer, scheduler::step_log* log, const std::function<void()>& beside);

}  // namespace duomap
