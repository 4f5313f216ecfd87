// Trains two multipliers at a time: chooses the pair, moves it, and updates f of all rows.
#include "numeric/svm/pair_training.hpp"

#include "core/run_control.hpp"
#include "numeric/svm/kernel_cache.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/multipliers.hpp"
#include "scheduler/iterative/step_log.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>

namespace duomap {
namespace {

/// The row with the largest value so far, the first of equal ones.
struct best_row {
  double value = -std::numeric_limits<double>::infinity();
  std::uint32_t row = 0;

  void offer(double other, std::size_t index) {
    if (other <= value) return;
    value = other;
    row = static_cast<std::uint32_t>(index);
  }
};

class pair_trainer {
 public:
  pair_trainer(const svm_problem& problem, worker_pool& pool)
    : problem_(problem),
      pool_(pool),
      all_(problem),
      kernel_(problem.rows, problem.kernel),
      // The cache has room for two rows at least, because a step uses two rows at once.
      cache_(problem.rows.rows, problem.rows.rows,
             std::max(problem.cache_bytes, 2 * problem.rows.rows * sizeof(float))),
      scratch_(pool.workers()),
      values_(pool.workers()) {
    for (std::uint32_t row = 0; row < problem.rows.rows; ++row) diagonal_.push_back(value_of(row));
  }

  svm_solution train();

 private:
  [[nodiscard]] double value_of(std::uint32_t row);
  [[nodiscard]] const float* row(std::uint32_t row);
  void add_start();
  [[nodiscard]] std::uint32_t best_partner(const float* row, std::uint32_t up, double most) const;

  const svm_problem& problem_;
  worker_pool& pool_;
  multipliers all_;
  kernel_rows<float> kernel_;
  kernel_cache<float> cache_;
  std::vector<panel_scratch<float>> scratch_;
  std::vector<std::vector<float>> values_;
  std::vector<double> diagonal_;
};

/// K(x, x) of a row.
double pair_trainer::value_of(std::uint32_t row) {
  const svm_kernel& kernel = problem_.kernel;
  if (kernel.kind == kernel_kind::rbf) return 1;
  const auto norm = static_cast<double>(squared_norms(slice(problem_.rows, row, 1)).front());
  if (kernel.kind == kernel_kind::linear) return norm;
  const double scaled = kernel.gamma * norm + kernel.coef0;
  return kernel.kind == kernel_kind::polynomial ? std::pow(scaled, kernel.degree) : std::tanh(scaled);
}

const float* pair_trainer::row(std::uint32_t row) {
  if (const float* const values = cache_.find(row)) return values;
  float* const values = cache_.make_room(row);
  const svm_rows point = slice(problem_.rows, row, 1);
  const std::vector<float> norms = squared_norms(point);
  const auto compute = [&](std::uint64_t panel, unsigned worker) {
    std::vector<float>& of_panel = values_[worker];
    of_panel.resize(kernel_.panel_rows());
    kernel_.compute(point, norms, panel, scratch_[worker], of_panel.data());
    std::copy_n(of_panel.data(), kernel_.rows_of(panel), values + kernel_.first_row(panel));
  };
  std::atomic<std::uint64_t> next{0};
  pool_.run_workers([&](unsigned worker) {
    for (std::uint64_t panel; (panel = next.fetch_add(1)) < kernel_.panels();) compute(panel, worker);
  });
  return values;
}

std::uint32_t pair_trainer::best_partner(const float* row, std::uint32_t up, double most) const {
  best_row best;
  for (std::size_t i = 0; i < all_.f.size(); ++i) {
    const double violation = most + all_.f[i];
    if (!all_.of_row[i].in_low() || violation <= 0) continue;
    const double curvature = diagonal_[up] + diagonal_[i] - 2 * static_cast<double>(row[i]);
    best.offer(violation * violation / (curvature > 0 ? curvature : 1e-12), i);
  }
  return best.row;
}

/// Adds to f the contributions of the problem's start multipliers.
void pair_trainer::add_start() {
  for (std::uint32_t j = 0; j < all_.of_row.size(); ++j) {
    const multiplier& one = all_.of_row[j];
    if (one.alpha == 0) continue;
    cache_.begin_round();
    const float* const values = row(j);
    const double weight = one.positive ? one.alpha : -one.alpha;
    for (std::size_t i = 0; i < all_.f.size(); ++i) all_.f[i] += weight * static_cast<double>(values[i]);
  }
}

svm_solution pair_trainer::train() {
  const std::uint64_t most = remaining_iterations(problem_);
  std::uint64_t iterations = 0;
  bool given_up = false;
  best_row up, low;
  const auto offer = [&](std::size_t i) {
    if (all_.of_row[i].in_up()) up.offer(-all_.f[i], i);
    if (all_.of_row[i].in_low()) low.offer(all_.f[i], i);
  };
  if (!problem_.start.empty()) add_start();
  for (std::size_t i = 0; i < all_.f.size(); ++i) offer(i);
  constexpr std::uint64_t steps_of_event = 256;
  double begin = problem_.log != nullptr ? scheduler::steady_seconds() : 0;
  const auto log = [&](std::uint64_t steps) {
    count_rounds(problem_, steps);
    if (problem_.log == nullptr || steps == 0) return;
    const double now = scheduler::steady_seconds();
    problem_.log->worker(0).add(begin, now, steps * problem_.rows.bytes());
    begin = now;
  };
  stagnation stagnant;
  for (; up.value + low.value >= problem_.tolerance && iterations < most; ++iterations) {
    if (stagnant.seen(up.value + low.value, iterations)) break;
    if (iterations > 0 && iterations % steps_of_event == 0) log(steps_of_event);
    stop_if_cancelled(problem_.control);
    given_up = problem_.give_up && problem_.give_up();
    if (given_up) break;
    cache_.begin_round();
    const float* const first = row(up.row);
    const std::uint32_t partner =
        problem_.method == svm_method::second_order ? best_partner(first, up.row, up.value) : low.row;
    const float* const second = row(partner);
    const double curvature = diagonal_[up.row] + diagonal_[partner] - 2 * static_cast<double>(first[partner]);
    const double by = step(all_.of_row[up.row], all_.of_row[partner], all_.f[partner] + up.value, curvature);
    up = low = {};
    for (std::size_t i = 0; i < all_.f.size(); ++i) {
      all_.f[i] += by * (static_cast<double>(first[i]) - static_cast<double>(second[i]));
      offer(i);
    }
  }
  log(iterations == 0 ? 0 : (iterations - 1) % steps_of_event + 1);
  svm_solution solution = solution_of(all_, problem_.tolerance);
  solution.iterations = solution.rounds = iterations;
  solution.given_up = given_up;
  return solution;
}

}  // namespace

svm_solution train_by_pairs(const svm_problem& problem, worker_pool& pool) {
  return pair_trainer(problem, pool).train();
}

}  // namespace duomap
