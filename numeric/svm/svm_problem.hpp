// Declares the training problem of a support vector machine for two classes, and its solution, for trainers
// on all devices.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace duomap {

struct run_control;

namespace scheduler {
class step_log;
}  // namespace scheduler

/// The kernels, which measure how alike two rows are. The values are those of LIBSVM's -t.
enum class kernel_kind : std::uint8_t {
  linear = 0,      ///< x . y
  polynomial = 1,  ///< (gamma x . y + coef0)^degree
  rbf = 2,         ///< exp(-gamma |x - y|^2)
  sigmoid = 3,     ///< tanh(gamma x . y + coef0)
};

struct svm_kernel {
  kernel_kind kind = kernel_kind::rbf;
  double gamma = 1;
  double coef0 = 0;
  std::uint32_t degree = 3;
};

/// A view of rows on the host: all values, or the values of a CSR matrix.
template <class T>
struct svm_rows_of {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  /// rows * columns values, row by row without gaps; empty when the rows are sparse.
  std::span<const T> dense = {};
  /// Sparse: row r holds values[k] in the columns column_of[k] (from 0, ascending), for k from row_start[r]
  /// to row_start[r + 1] - 1. Has rows + 1 numbers; empty when the rows are dense.
  std::span<const std::uint64_t> row_start = {};
  std::span<const std::uint32_t> column_of = {};
  std::span<const T> values = {};

  [[nodiscard]] bool is_sparse() const noexcept { return !row_start.empty(); }
  /// The number of stored values.
  [[nodiscard]] std::uint64_t entries() const noexcept {
    return is_sparse() ? row_start[rows] - row_start[0] : dense.size();
  }
  /// The size of the stored values.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return entries() * sizeof(T); }
};

/// The rows that trainers on all devices take.
using svm_rows = svm_rows_of<float>;

/// The choice of a working set. All methods reach the same optimum.
enum class svm_method : std::uint8_t {
  blocked,       ///< hundreds of points at once, their kernel rows by one matrix product
  first_order,   ///< the two rows that violate most (Keerthi et al. 2001, as in Catanzaro et al. 2008)
  second_order,  ///< the two rows whose step gains most (Fan, Chen & Lin 2005, as LIBSVM does)
};

/// The problem: minimise  1/2 sum_ij a_i a_j y_i y_j K(x_i, x_j) - sum_i a_i
/// subject to  0 <= a_i <= C_i  and  sum_i a_i y_i = 0.
struct svm_problem {
  svm_rows rows;
  /// +1 or -1 for each row.
  std::span<const std::int8_t> labels;
  svm_kernel kernel;
  double positive_c = 1;  ///< C of the rows with +1, > 0
  double negative_c = 1;  ///< C of the rows with -1, > 0
  /// Training ends when max over I_up of -y G less min over I_low of -y G is below this (LIBSVM's -e), > 0. G
  /// is the objective's gradient. I_up and I_low are the rows whose multiplier may move up or down along y.
  double tolerance = 1e-3;
  /// The largest number of steps, each of which changes two multipliers; 0: as in LIBSVM, the larger of 10^7
  /// and 100 times the number of rows.
  std::uint64_t max_iterations = 0;
  std::uint64_t iterations_before = 0;  ///< the steps that led to `start`
  /// Memory for kernel rows, in bytes, if the method keeps any; 0: only as much as it needs.
  std::uint64_t cache_bytes = 0;
  svm_method method = svm_method::blocked;
  /// Feasible multipliers to begin with, one for each row; empty: all 0.
  std::span<const double> start = {};
  /// Trainers on the CPU ask now and then whether to give up, because another device will continue from their
  /// state.
  std::function<bool()> give_up = {};
  const run_control* control = nullptr;  ///< cancellation in; may be null
  /// Progress out: each round adds the bytes of the rows; null: rounds are not counted.
  run_control* counts_rounds = nullptr;
  /// Gets the work of each worker and device in each round; may be null.
  scheduler::step_log* log = nullptr;
};

/// Counts `rounds` rounds over the problem's rows as progress.
void count_rounds(const svm_problem& problem, std::uint64_t rounds, bool on_gpu = false);

/// The result of a trainer.
struct svm_solution {
  std::vector<double> alpha;     ///< multiplier of each row, from 0 to its C; bounds are exact
  double rho = 0;                ///< f(x) = sum_i a_i y_i K(x_i, x) - rho
  double objective = 0;          ///< the minimum, <= 0 (LIBSVM's obj); not finite if kernel values are not
  double gap = 0;                ///< training compares it with tolerance; as exact as the kernel values
  std::uint64_t iterations = 0;  ///< steps of two multipliers
  std::uint64_t rounds = 0;      ///< blocked: working sets; other methods: iterations
  std::uint64_t passes = 0;      ///< the number of times that all rows came to a GPU without room for them
  bool converged = false;        ///< gap < tolerance
  bool given_up = false;         ///< `give_up` ended the training
};

}  // namespace duomap
