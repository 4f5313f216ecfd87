#include "apps/algorithms/svm/blocked_training.hpp"

#include "apps/algorithms/svm/kernel_cache.hpp"
#include "apps/algorithms/svm/kernel_rows.hpp"
#include "apps/algorithms/svm/multipliers.hpp"
#include "apps/algorithms/svm/working_set.hpp"
#include "core/run_control.hpp"
#include "scheduler/iterative/step_log.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <span>
#include <vector>

namespace duomap {
namespace {

// Of 256 to 2048 rows, and of 0.01 to 0.4 of the gap, these took least time on a9a (C = 100, gamma = 0.5).
// Half of a working set are rows of the one before it, so that two sets do not undo each other's work.
constexpr std::size_t rows_of_set = 1024;
constexpr double part_of_gap = 0.25;

// Of a small problem at most this part, of 1/2 to 1/16: USPS (45 pairs of 1300 rows) took 1.0, 0.35, 0.17,
// 0.26 s.
constexpr std::size_t part_of_rows = 8;

// Numbers in a row from which on reading its kernel is cheaper than computing it.
constexpr std::uint64_t numbers_worth_keeping = 48;

/// Some rows of all, with what products need of them.
struct point_rows {
  row_copies copies;
  svm_rows rows;
  std::vector<float> norms;

  point_rows(const svm_rows& from, std::span<const std::uint32_t> which)
    : copies(from, which), rows(copies.view()), norms(squared_norms(rows)) {}
};

/// Points whose products with a panel are computed at once: as many as leave them in the second-level cache.
std::uint64_t points_at_once(const kernel_rows& all) {
  constexpr std::uint64_t bytes = std::uint64_t{512} << 10;
  return bytes / (all.panel_rows() * sizeof(float));
}

class blocked_trainer {
 public:
  blocked_trainer(const svm_problem& problem, worker_pool& pool)
    : problem_(problem),
      pool_(pool),
      all_(problem),
      kernel_(problem.rows, problem.kernel),
      cache_(problem.rows.rows, problem.rows.rows, cache_bytes(problem)),
      scratch_(pool.workers()),
      values_(pool.workers()) {}

  svm_solution train();

 private:
  static std::uint64_t cache_bytes(const svm_problem& problem);

  void fill_kernel(const std::vector<std::uint32_t>& rows, working_set& set);
  void add_changes(const std::vector<std::uint32_t>& rows, const std::vector<double>& changes);
  void compute_f();

  const svm_problem& problem_;
  worker_pool& pool_;
  multipliers all_;
  kernel_rows kernel_;
  kernel_cache cache_;
  std::vector<panel_scratch> scratch_;
  std::vector<std::vector<float>> values_;
};

std::uint64_t blocked_trainer::cache_bytes(const svm_problem& problem) {
  // A sparse row of few numbers is computed as fast as it would be read.
  const std::uint64_t numbers =
      problem.rows.is_sparse() ? problem.rows.values.size() : problem.rows.dense.size();
  return numbers < numbers_worth_keeping * problem.rows.rows ? 0 : problem.cache_bytes;
}

void blocked_trainer::fill_kernel(const std::vector<std::uint32_t>& rows, working_set& set) {
  const point_rows points(problem_.rows, rows);
  kernel_rows among(points.rows, problem_.kernel);
  const std::uint64_t at_once = among.rows().is_sparse() ? points.rows.rows : 128;
  const std::uint64_t batches = (points.rows.rows + at_once - 1) / at_once;
  std::atomic<std::uint64_t> next{0};
  scheduler::run_logged(pool_, problem_.log, [&](unsigned worker) {
    std::vector<float>& values = values_[worker];
    values.resize(std::max(values.size(), at_once * among.panel_rows()));
    panel_scratch scratch;
    for (std::uint64_t index; (index = next.fetch_add(1)) < batches * among.panels();) {
      const std::uint64_t panel = index / batches, first = index % batches * at_once;
      const std::uint64_t count = std::min(at_once, points.rows.rows - first);
      among.compute(slice(points.rows, first, count), std::span(points.norms).subspan(first), panel, scratch,
                    values.data());
      for (std::uint64_t p = 0; p < count; ++p)
        std::copy_n(values.data() + p * among.panel_rows(), among.rows_of(panel),
                    set.kernel() + (first + p) * set.stride() + among.first_row(panel));
    }
    return std::uint64_t{0};
  });
}

void blocked_trainer::add_changes(const std::vector<std::uint32_t>& rows,
                                  const std::vector<double>& changes) {
  const svm_vectors& vectors = svm_vectors_for(cpu::active_vector_path());
  // Kept rows first, then those that will be kept, then the others.
  std::vector<const float*> kept;
  std::vector<double> kept_changes, new_changes, other_changes;
  std::vector<std::uint32_t> computed, others;
  std::vector<float*> places;
  cache_.begin_round();
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (const float* const values = cache_.find(rows[p])) {
      kept.push_back(values);
      kept_changes.push_back(changes[p]);
    }
  }
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (cache_.find(rows[p]) != nullptr) continue;
    if (float* const place = cache_.make_room(rows[p])) {
      places.push_back(place);
      computed.push_back(rows[p]);
      new_changes.push_back(changes[p]);
    } else {
      others.push_back(rows[p]);
      other_changes.push_back(changes[p]);
    }
  }
  computed.insert(computed.end(), others.begin(), others.end());
  new_changes.insert(new_changes.end(), other_changes.begin(), other_changes.end());
  const point_rows points(problem_.rows, computed);
  const std::uint64_t at_once = points_at_once(kernel_), stride = kernel_.panel_rows();
  std::atomic<std::uint64_t> next{0};
  const std::uint64_t row_bytes = problem_.rows.bytes() / problem_.rows.rows;
  scheduler::run_logged(pool_, problem_.log, [&](unsigned worker) {
    std::uint64_t rows_done = 0;
    std::vector<float>& values = values_[worker];
    values.resize(std::max(values.size(), at_once * stride));
    std::vector<const float*> of_panel(std::max(kept.size(), std::size_t{at_once}));
    for (std::uint64_t panel; (panel = next.fetch_add(1)) < kernel_.panels();) {
      const std::uint64_t from = kernel_.first_row(panel), count = kernel_.rows_of(panel);
      double* const f = all_.f.data() + from;
      rows_done += count;
      for (std::size_t p = 0; p < kept.size(); ++p) of_panel[p] = kept[p] + from;
      vectors.add_rows(kept.size(), of_panel.data(), kept_changes.data(), count, f);
      for (std::uint64_t first = 0; first < computed.size(); first += at_once) {
        const std::uint64_t some = std::min(at_once, computed.size() - first);
        kernel_.compute(slice(points.rows, first, some), std::span(points.norms).subspan(first), panel,
                        scratch_[worker], values.data());
        for (std::uint64_t p = 0; p < some; ++p) {
          of_panel[p] = values.data() + p * stride;
          if (first + p < places.size()) std::copy_n(of_panel[p], count, places[first + p] + from);
        }
        vectors.add_rows(some, of_panel.data(), new_changes.data() + first, count, f);
      }
    }
    return rows_done * row_bytes;
  });
}

void blocked_trainer::compute_f() {
  std::vector<std::uint32_t> rows;
  std::vector<double> values;
  for (std::size_t i = 0; i < all_.f.size(); ++i) {
    const multiplier& one = all_.of_row[i];
    all_.f[i] = one.positive ? -1 : 1;
    if (one.alpha == 0) continue;
    rows.push_back(static_cast<std::uint32_t>(i));
    values.push_back(one.positive ? one.alpha : -one.alpha);
  }
  add_changes(rows, values);
}

svm_solution blocked_trainer::train() {
  // A small problem's set must not be most of it: its kernel matrix would cost more than the pass over all
  // rows.
  const std::size_t size =
      std::min(std::clamp(all_.f.size() / part_of_rows, std::size_t{64}, rows_of_set), all_.f.size());
  const std::uint64_t most = most_iterations_of(problem_);
  working_set set(size);
  std::vector<std::uint32_t> rows, changed;
  std::vector<double> changes;
  std::uint64_t iterations = 0, rounds = 0;
  bool given_up = false;
  bool overflowed = false;
  bool verified = true;  // f is exact before the first change
  if (!problem_.start.empty()) compute_f();
  for (;;) {
    stop_if_cancelled(problem_.control);
    const bounds now = bounds_of(all_);
    if (now.gap() < problem_.epsilon || iterations >= most) {
      if (verified) break;
      compute_f();
      verified = true;
      continue;
    }
    given_up = problem_.give_up && problem_.give_up();
    if (given_up) break;
    rows = choose_working_set(all_, now, size, size / 2, rows);
    set.begin(all_, rows);
    fill_kernel(rows, set);
    const std::uint64_t steps =
        set.solve(std::max(part_of_gap * now.gap(), 0.5 * problem_.epsilon), most - iterations);
    overflowed = steps == 0;
    if (overflowed) break;
    iterations += steps;
    changed.clear();
    changes.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      multiplier& one = all_.of_row[rows[i]];
      const double by = set.solved(i).alpha - one.alpha;
      if (by == 0) continue;
      one = set.solved(i);
      changed.push_back(rows[i]);
      changes.push_back(one.positive ? by : -by);
    }
    add_changes(changed, changes);
    ++rounds;
    count_rounds(problem_, 1);
    verified = false;
  }
  svm_solution solution = solution_of(all_, problem_.epsilon);
  solution.iterations = iterations;
  solution.rounds = rounds;
  solution.given_up = given_up;
  if (overflowed) solution.objective = std::numeric_limits<double>::quiet_NaN();
  return solution;
}

}  // namespace

svm_solution train_blocked(const svm_problem& problem, worker_pool& pool) {
  return blocked_trainer(problem, pool).train();
}

}  // namespace duomap
