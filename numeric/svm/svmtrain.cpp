// Trains each pair of classes on the CPU or on a GPU, finishes it in float64, and puts the model together.
#include "core/add_note.hpp"
#include "core/begin_progress.hpp"
#include "core/error.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "cpu/host_memory.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/svm/centred_rows.hpp"
#include "numeric/svm/cpu_decisions.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/svm.hpp"
#include "numeric/svm/svm_devices.hpp"
#include "numeric/svm/svm_layout.hpp"
#include "scheduler/iterative/step_log.hpp"
#include "scheduler/report/steps_report.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap {
namespace {

std::string text(double number) {
  std::array<char, 32> digits;
  std::snprintf(digits.data(), digits.size(), "%.6g", number);
  return digits.data();
}

void require_positive(double number, const char* what) {
  if (!(number > 0) || !std::isfinite(number))
    throw usage_error(std::string(what) + " is " + text(number) + "; it has to be above 0 and finite");
}

template <class T>
void require_sizes(const svm_rows_of<T>& rows, std::span<const double> labels, const svm_options& options) {
  if (rows.rows == 0) throw input_error("there are no rows to train with");
  if (rows.rows != labels.size())
    throw usage_error("there are " + std::to_string(rows.rows) + " rows and " +
                      std::to_string(labels.size()) + " labels; each row needs one");
  if (rows.rows > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
    throw usage_error("there are " + std::to_string(rows.rows) + " rows; at most 2^31 - 1 can be told apart");
  require_positive(options.c, "C");
  require_positive(options.tolerance, "tolerance");
  if (options.gamma && !(*options.gamma >= 0 && std::isfinite(*options.gamma)))
    throw usage_error("gamma is " + text(*options.gamma) + "; it has to be 0 or above, and finite");
  for (const auto& [label, weight] : options.weights) require_positive(weight, "a class's weight");
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!std::isfinite(labels[i]))
      throw input_error("row " + std::to_string(i) + " has a label that is not finite");
  }
}

/// The labels in LIBSVM's order: by the first row of each, except that +1 comes before -1.
std::vector<double> classes_of(std::span<const double> labels,
                               std::vector<std::vector<std::uint32_t>>& rows_of) {
  std::map<double, std::size_t> number_of;
  std::vector<double> classes;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto [found, is_new] = number_of.try_emplace(labels[i], classes.size());
    if (is_new) {
      classes.push_back(labels[i]);
      rows_of.emplace_back();
    }
    rows_of[found->second].push_back(static_cast<std::uint32_t>(i));
  }
  if (classes == std::vector<double>{-1, 1}) {
    std::swap(classes[0], classes[1]);
    std::swap(rows_of[0], rows_of[1]);
  }
  return classes;
}

/// Trains all pairs of classes and collects their model.
class one_against_one {
 public:
  /// `exact` are the same rows in float64.
  one_against_one(const svm_rows& rows, const svm_rows_of<double>& exact, std::span<const double> labels,
                  const svm_options& options, worker_pool& pool, svm_devices& devices,
                  scheduler::step_log* log)
    : rows_(rows),
      exact_(exact),
      options_(options),
      pool_(pool),
      devices_(devices),
      log_(log),
      cache_bytes_(options.cache_bytes > 0 ? options.cache_bytes : cpu::memory_for_results() / 3),
      row_bytes_(std::max<std::uint64_t>(1, rows.entries() * sizeof(float) / rows.rows)) {
    result_.model.classes = classes_of(labels, row_of_class_);
    result_.model.kernel = {
        .kind = options.kernel,
        .gamma = options.gamma.value_or(1 / static_cast<double>(std::max<std::uint64_t>(1, rows.columns))),
        .coef0 = options.coef0,
        .degree = options.degree};
  }

  /// Makes the model without the rows of the support vectors. `kept` gets the numbers of these rows.
  svm_training train(std::vector<std::uint32_t>& kept) {
    const std::size_t classes = result_.model.classes.size();
    alpha_.resize(classes);
    for (std::size_t a = 0; a < classes; ++a)
      alpha_[a].assign(classes, std::vector<double>(row_of_class_[a].size()));
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < classes; ++a) {
      for (std::size_t b = a + 1; b < classes; ++b) pairs.emplace_back(a, b);
    }
    result_.pairs.resize(pairs.size());
    begin_progress(options_.run.control, counts_rounds() ? 0 : bytes_of_pairs());
    const std::vector<std::size_t> left = train_on_cpu(pairs);
    for (const std::size_t i : left) {
      const auto [a, b] = pairs[i];
      const svm_pair begun = result_.pairs[i];
      result_.pairs[i] = train_pair(
          a, b, begun, pool_, [&](const svm_problem& problem) { return devices_.train(problem, pool_); });
      count(a, b);
    }
    for (const svm_pair& pair : result_.pairs) result_.model.rho.push_back(pair.rho);
    if (counts_rounds()) end_progress(options_.run.control);
    kept = keep_support_vectors();
    return std::move(result_);
  }

 private:
  using class_pair = std::pair<std::size_t, std::size_t>;
  /// Trains pairs on the CPU. Returns the pairs that are left for a GPU.
  [[nodiscard]] std::vector<std::size_t> train_on_cpu(const std::vector<class_pair>& pairs);
  template <class Trainer>
  [[nodiscard]] svm_pair train_pair(std::size_t a, std::size_t b, const svm_pair& begun, worker_pool& pool,
                                    const Trainer& trainer);
  [[nodiscard]] std::vector<std::uint32_t> keep_support_vectors();

  /// Progress counts the bytes of a pair's rows once the pair is trained. With two classes there is a single
  /// pair, and each of its rounds counts the bytes, because the number of rounds is unknown.
  [[nodiscard]] std::uint64_t bytes_of(std::size_t a) const { return row_of_class_[a].size() * row_bytes_; }
  [[nodiscard]] bool counts_rounds() const { return row_of_class_.size() == 2; }
  [[nodiscard]] std::uint64_t bytes_of_pairs() const {
    std::uint64_t all = 0;
    for (std::size_t a = 0; a < row_of_class_.size(); ++a) all += bytes_of(a) * (row_of_class_.size() - 1);
    return all;
  }
  void count(std::size_t a, std::size_t b) {
    if (options_.run.control != nullptr && !counts_rounds())
      options_.run.control->units_done.fetch_add(bytes_of(a) + bytes_of(b), std::memory_order_relaxed);
  }

  [[nodiscard]] double c_of(std::size_t number) const {
    const auto weight = options_.weights.find(result_.model.classes[number]);
    return weight == options_.weights.end() ? options_.c : options_.c * weight->second;
  }

  const svm_rows& rows_;
  const svm_rows_of<double>& exact_;
  const svm_options& options_;
  worker_pool& pool_;
  svm_devices& devices_;
  scheduler::step_log* log_;  ///< may be null
  std::uint64_t cache_bytes_;
  std::uint64_t row_bytes_;  ///< mean bytes of a row's values
  unsigned at_once_ = 1;     ///< pairs that are trained at once, and share the memory
  std::vector<std::vector<std::uint32_t>> row_of_class_;
  /// alpha_[a][b] has alpha y of the rows of class a, from training against class b.
  std::vector<std::vector<std::vector<double>>> alpha_;
  svm_training result_;
};

std::vector<std::size_t> one_against_one::train_on_cpu(const std::vector<class_pair>& pairs) {
  std::vector<std::size_t> left;
  if (!devices_.cpu_begins()) {
    left.resize(pairs.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    return left;
  }
  std::vector<char> given_up(pairs.size());
  const auto train = [&](std::size_t i, worker_pool& pool) {
    given_up[i] = devices_.gpu_takes_over();
    if (given_up[i] != 0) return;
    result_.pairs[i] = train_pair(pairs[i].first, pairs[i].second, {}, pool, [&](svm_problem& problem) {
      problem.give_up = [this] {
        return devices_.gpu_takes_over();
      };
      svm_solution solution = devices_.train_on_pool(problem, pool);
      given_up[i] = solution.given_up;
      return solution;
    });
    if (given_up[i] == 0) count(pairs[i].first, pairs[i].second);
  };
  // With many pairs, each is a small problem, and one worker trains it. With few, each is large, and all
  // workers share it.
  if (pairs.size() >= std::size_t{2} * pool_.workers() && pool_.workers() > 1) {
    at_once_ = pool_.workers();
    pool_.share_indices(pairs.size(), [&](unsigned worker, std::uint64_t i) {
      sequential alone;
      scheduler::timed(
          log_ != nullptr ? &log_->worker(worker) : nullptr, [&]() -> std::optional<std::uint64_t> {
            train(i, alone);
            if (given_up[i] != 0) return std::nullopt;
            return result_.pairs[i].rounds * (bytes_of(pairs[i].first) + bytes_of(pairs[i].second));
          });
    });
    at_once_ = 1;
  } else {
    for (std::size_t i = 0; i < pairs.size(); ++i) train(i, pool_);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (given_up[i] != 0) left.push_back(i);
  }
  return left;
}

/// Trains a pair from the state `begun`, and finishes it in float64.
template <class Trainer>
svm_pair one_against_one::train_pair(std::size_t a, std::size_t b, const svm_pair& begun, worker_pool& pool,
                                     const Trainer& trainer) {
  const std::vector<std::uint32_t>&positive = row_of_class_[a], &negative = row_of_class_[b];
  std::vector<std::uint32_t> both;
  std::ranges::merge(positive, negative, std::back_inserter(both));
  std::vector<std::int8_t> labels;
  for (std::size_t i = 0, next = 0; i < both.size(); ++i) {
    const bool is_positive = next < positive.size() && positive[next] == both[i];
    if (is_positive) ++next;
    labels.push_back(is_positive ? 1 : -1);
  }
  // Starts from the multipliers that the CPU has reached, unless all are 0.
  std::vector<double> start;
  for (std::size_t i = 0, of_a = 0, of_b = 0; i < both.size(); ++i)
    start.push_back(std::abs(labels[i] > 0 ? alpha_[a][b][of_a++] : alpha_[b][a][of_b++]));
  if (std::ranges::all_of(start, [](double alpha) { return alpha == 0; })) start.clear();
  // With two classes, a pair has all rows, so they need no copy.
  const bool is_all = result_.model.classes.size() == 2;
  const std::span<const std::uint32_t> copied = is_all ? std::span<const std::uint32_t>() : both;
  const row_copies<float> copies(rows_, copied);
  svm_problem problem{.rows = is_all ? rows_ : copies.view(),
                      .labels = labels,
                      .kernel = result_.model.kernel,
                      .positive_c = c_of(a),
                      .negative_c = c_of(b),
                      .tolerance = options_.tolerance,
                      .max_iterations = options_.max_iterations,
                      .iterations_before = begun.iterations,
                      .cache_bytes = cache_bytes_ / at_once_,
                      .method = options_.method,
                      .start = start,
                      .control = options_.run.control,
                      .counts_rounds = counts_rounds() ? options_.run.control : nullptr,
                      .log = at_once_ == 1 ? log_ : nullptr};  // one lane takes the log of one thread only
  svm_solution solution = trainer(problem);
  // If every possible step is between rows with infinite kernel values, a GPU takes no step at all.
  const bool stands_still = !solution.converged && !solution.given_up &&
                            std::ranges::all_of(solution.alpha, [](double alpha) { return alpha == 0; });
  if (stands_still || !std::isfinite(solution.objective))
    throw input_error(
        "kernel values are larger than float32 numbers; scale the features, or take a smaller gamma or "
        "degree");
  solution.iterations += begun.iterations;
  solution.rounds += begun.rounds;
  if (!solution.given_up) {
    const row_copies<double> exact(exact_, copied);
    problem.start = solution.alpha;
    problem.iterations_before = solution.iterations;
    problem.give_up = {};
    svm_solution true_one = devices_.finish_exactly(problem, is_all ? exact_ : exact.view(), pool);
    true_one.iterations += solution.iterations;
    true_one.rounds += solution.rounds;
    solution = std::move(true_one);
  }
  svm_pair pair{.first = result_.model.classes[a],
                .second = result_.model.classes[b],
                .objective = solution.objective,
                .rho = solution.rho,
                .gap = solution.gap,
                .iterations = solution.iterations,
                .rounds = solution.rounds,
                .converged = solution.converged};
  std::size_t of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < both.size(); ++i) {
    const double alpha = solution.alpha[i];
    const bool is_positive = labels[i] > 0;
    if (is_positive) {
      alpha_[a][b][of_a++] = alpha;
    } else {
      alpha_[b][a][of_b++] = -alpha;
    }
    if (alpha > 0) ++pair.support_vectors;
    if (alpha == (is_positive ? problem.positive_c : problem.negative_c)) ++pair.bounded;
  }
  return pair;
}

/// Returns the rows that are support vectors, class by class, and writes their coefficients into the model.
std::vector<std::uint32_t> one_against_one::keep_support_vectors() {
  svm_model& model = result_.model;
  const std::size_t classes = model.classes.size();
  std::vector<std::uint32_t> kept;
  std::vector<std::vector<double>> coefficients(classes - 1);
  for (std::size_t a = 0; a < classes; ++a) {
    std::uint64_t of_class = 0;
    for (std::size_t i = 0; i < row_of_class_[a].size(); ++i) {
      const bool is_used =
          std::ranges::any_of(alpha_[a], [&](const auto& against) { return against[i] != 0; });
      if (!is_used) continue;
      ++of_class;
      kept.push_back(row_of_class_[a][i]);
      std::size_t other = 0;
      for (std::size_t b = 0; b < classes; ++b) {
        if (b != a) coefficients[other++].push_back(alpha_[a][b][i]);
      }
    }
    model.rows_of_class.push_back(of_class);
  }
  for (const std::vector<double>& one : coefficients)
    model.coefficients.insert(model.coefficients.end(), one.begin(), one.end());
  return kept;
}

std::string warning_of(const svm_pair& pair, double tolerance) {
  return "warning: " + text(pair.first) + " against " + text(pair.second) + " stopped after " +
         std::to_string(pair.iterations) + " iterations, with a gap of " + text(pair.gap) + " instead of " +
         text(tolerance) +
         ": the model is not the best there is; scale the columns, or allow more iterations";
}

template <class T>
svm_training train(const svm_rows_of<T>& rows, std::span<const double> labels, const svm_options& options) {
  require_sizes(rows, labels, options);
  const auto start = std::chrono::steady_clock::now();
  const auto pool = cpu::machine_pool(options.run.threads);
  const row_centre centre = centre_of(rows, options.kernel);
  const svm_layout<T> layout(rows);
  const centred_rows<float> rounded(layout.rows(), centre);
  require_finite(rounded.rows(), *pool);
  const centred_rows<double> exact(layout.rows(), centre);
  std::optional<scheduler::step_log> log;
  if (options.run.timeline) log.emplace(scheduler::steady_seconds(), pool->workers());
  scheduler::step_log* const logged = log ? &*log : nullptr;
  svm_devices devices(options.run, estimate_kernel_seconds(rounded.rows(), rows.rows) / pool->workers(),
                      pool->workers(), logged);
  std::vector<std::uint32_t> kept;
  svm_training trained =
      one_against_one(rounded.rows(), exact.rows(), labels, options, *pool, devices, logged).train(kept);
  const row_copies<T> vectors(rows, kept);
  trained.model.rows = sparse_of(centred_rows<double>(vectors.view(), {}).rows());
  trained.support = std::move(kept);
  const std::vector<double> shift = rho_shift(trained.model, centre);
  for (std::size_t pair = 0; pair < shift.size(); ++pair) {
    trained.model.rho[pair] += shift[pair];
    trained.pairs[pair].rho += shift[pair];
  }
  trained.report = devices.report();
  trained.report.units = rows.bytes();
  trained.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (log) {
    trained.report.timeline = log->timeline();
    add_note(trained.report.notes, log->note());
  }
  if (options.run.report != nullptr) {
    run_report& report = *options.run.report;
    report.task = "svmtrain";
    report.units = rows.bytes();
    report.results = trained.model.rows.rows();
    scheduler::add_steps(trained.report, report.units, pool->workers(), report);
    if (options.kernel == kernel_kind::sigmoid && !trained.pairs.empty())
      report.notes.emplace_back(
          "the sigmoid kernel is no inner product: training may end at a local optimum that is not the best");
    for (const svm_pair& pair : trained.pairs) {
      if (!pair.converged) report.notes.push_back(warning_of(pair, options.tolerance));
    }
  }
  return trained;
}

}  // namespace

svm_training svmtrain(const svm_rows& rows, std::span<const double> labels, const svm_options& options) {
  return train(rows, labels, options);
}

svm_training svmtrain(const svm_rows_of<double>& rows, std::span<const double> labels,
                      const svm_options& options) {
  return train(rows, labels, options);
}

}  // namespace duomap
