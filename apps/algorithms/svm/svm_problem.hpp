// The training problem of a support vector machine for two classes, and its solution: what trainers on all
// devices share.
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

/// How alike two rows are. The values are LIBSVM's -t.
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

/// Rows of float32 that someone else keeps on the host: all values, or those of a CSR matrix.
struct svm_rows {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  /// rows * columns values, row by row without gaps; empty when the rows are sparse.
  std::span<const float> dense = {};
  /// Sparse: row r holds `values[k]` in the columns `column_of[k]` (from 0, ascending) for k from
  /// `row_start[r]` on and before `row_start[r + 1]`; rows + 1 numbers. Empty when the rows are dense.
  std::span<const std::uint64_t> row_start = {};
  std::span<const std::uint32_t> column_of = {};
  std::span<const float> values = {};

  [[nodiscard]] bool is_sparse() const noexcept { return !row_start.empty(); }
  /// Values that are there.
  [[nodiscard]] std::uint64_t entries() const noexcept {
    return is_sparse() ? row_start[rows] - row_start[0] : dense.size();
  }
  /// Of the values.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return entries() * sizeof(float); }
};

/// How a working set is chosen. All reach the same optimum.
enum class svm_method : std::uint8_t {
  blocked,       ///< hundreds of points at once, their kernel rows by one matrix product
  first_order,   ///< the pair that violates most (Keerthi et al. 2001, as in Catanzaro et al. 2008)
  second_order,  ///< the pair whose step gains most (Fan, Chen & Lin 2005, as LIBSVM does)
};

/// minimise  1/2 sum_ij a_i a_j y_i y_j K(x_i, x_j) - sum_i a_i
/// subject to  0 <= a_i <= C_i  and  sum_i a_i y_i = 0.
struct svm_problem {
  svm_rows rows;
  /// For each row +1 or -1.
  std::span<const std::int8_t> labels;
  svm_kernel kernel;
  double positive_c = 1;  ///< C of the rows with +1, > 0
  double negative_c = 1;  ///< C of the rows with -1, > 0
  /// It ends when max over I_up of -y G and min over I_low of -y G differ by less (LIBSVM's -e), > 0. G is
  /// the objective's gradient, I_up and I_low are the rows whose multiplier may move up or down along y.
  double epsilon = 1e-3;
  /// Steps of two multipliers at most; 0: as many as LIBSVM, max(10^7, 100 rows).
  std::uint64_t most_iterations = 0;
  /// Memory for kernel rows, in bytes, where the method keeps some; 0: none but what it needs.
  std::uint64_t cache_bytes = 0;
  svm_method method = svm_method::blocked;
  /// The multipliers that it begins with, one of each row, which have to be possible ones; empty: all 0.
  std::span<const double> start = {};
  /// Asked by trainers on the CPU now and then: whether to give up, because another device goes on from
  /// there.
  std::function<bool()> give_up = {};
  const run_control* control = nullptr;  ///< cancellation in; may be null
  /// Progress out: each round adds the bytes of the rows; null: nobody counts rounds.
  run_control* counts_rounds = nullptr;
  /// Gets what each worker and device did in each round; null: nobody wants to know.
  scheduler::step_log* log = nullptr;
};

/// The progress of so many rounds over the problem's rows.
void count_rounds(const svm_problem& problem, std::uint64_t rounds, bool on_gpu = false);

/// What a trainer found.
struct svm_solution {
  std::vector<double> alpha;     ///< of each row, from 0 to its C; bounds are exact
  double rho = 0;                ///< f(x) = sum_i a_i y_i K(x_i, x) - rho
  double objective = 0;          ///< as minimised, <= 0 (LIBSVM's obj); not finite if kernel values are not
  double gap = 0;                ///< what is compared with epsilon, from the last gradient
  std::uint64_t iterations = 0;  ///< steps of two multipliers
  std::uint64_t rounds = 0;      ///< blocked: working sets; else as iterations
  std::uint64_t passes = 0;      ///< how often all rows were brought to a GPU that has no room for them
  bool converged = false;        ///< gap < epsilon; if not, the cap of iterations was reached
  bool given_up = false;         ///< or it was told to give up
};

}  // namespace duomap
