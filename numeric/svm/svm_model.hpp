// Keeps a trained support vector machine, and reads and writes it in LIBSVM's format.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/sparse_matrix.hpp"
#include "numeric/svm/svm_problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// Classes one against one. The pairs of classes a < b are in the order (0, 1), (0, 2), ..., (1, 2), ... A
/// pair has f(x) = sum over support vectors s of both classes of coefficient * K(s, x) - rho, and votes for a
/// if f is positive, else for b.
struct svm_model {
  svm_kernel kernel;
  std::vector<double> classes;               ///< the label of each class
  std::vector<double> rho;                   ///< for each pair of classes
  std::vector<std::uint64_t> rows_of_class;  ///< of support vectors, which come class after class
  sparse_matrix<double> rows;                ///< the support vectors
  std::uint64_t first_index = 1;             ///< the index of the first column in LIBSVM's text: 0 or 1
  /// alpha y of support vector s against the r-th of the other classes: coefficients[r * rows.rows() + s].
  std::vector<double> coefficients;

  [[nodiscard]] std::uint64_t pairs() const noexcept { return classes.size() * (classes.size() - 1) / 2; }
};

/// Writes the model as text for LIBSVM's programs. Each number has the fewest digits that give the same
/// float64 again. LIBSVM takes only whole numbers for labels.
[[nodiscard]] std::string to_libsvm(const svm_model& model);

/// Reads a model of svm_type c_svc or nu_svc. `name`: the text's name in messages. Skips probability
/// estimates.
/// @throws input_error naming the line, when it is no such text or its numbers contradict each other
[[nodiscard]] svm_model svm_model_from_libsvm(byte_view text, const std::string& name, worker_pool& pool);

/// Reads on the calling thread.
[[nodiscard]] inline svm_model svm_model_from_libsvm(byte_view text, const std::string& name) {
  sequential alone;
  return svm_model_from_libsvm(text, name, alone);
}

}  // namespace duomap
