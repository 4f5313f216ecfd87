// A trained support vector machine, and LIBSVM's file of it.
// host only
#pragma once

#include "apps/algorithms/numeric/sparse_matrix.hpp"
#include "apps/algorithms/svm/svm_problem.hpp"
#include "core/byte_view.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// Classes one against one: for classes a < b, in the order (0, 1), (0, 2), ..., (1, 2), ...,
/// f(x) = sum over support vectors s of both of coefficient * K(s, x) - rho votes for a if positive, else b.
struct svm_model {
  svm_kernel kernel;
  std::vector<double> classes;               ///< labels
  std::vector<double> rho;                   ///< of each pair of classes
  std::vector<std::uint64_t> rows_of_class;  ///< support vectors of each class, which come one after another
  sparse_matrix<float> rows;                 ///< the support vectors
  std::uint64_t first_index = 1;             ///< what LIBSVM's text calls their first column: 0 or 1
  /// alpha y of support vector s against its class's r-th other class: coefficients[r * rows.rows() + s].
  std::vector<double> coefficients;

  [[nodiscard]] std::uint64_t pairs() const noexcept { return classes.size() * (classes.size() - 1) / 2; }
};

/// The model as LIBSVM's programs read it. Numbers are the shortest that give the same float64 (coefficients,
/// rho) or float32 (support vectors) again. LIBSVM takes whole numbers for labels only.
[[nodiscard]] std::string to_libsvm(const svm_model& model);

/// Reads a model of svm_type c_svc or nu_svc; `name` is what messages call it. Probability estimates are left
/// out.
/// @throws input_error naming the line, when it is no such text or its numbers contradict each other
[[nodiscard]] svm_model svm_model_from_libsvm(byte_view text, const std::string& name, worker_pool& pool);

/// The same on the calling thread.
[[nodiscard]] inline svm_model svm_model_from_libsvm(byte_view text, const std::string& name) {
  sequential alone;
  return svm_model_from_libsvm(text, name, alone);
}

}  // namespace duomap
