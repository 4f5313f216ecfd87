// Trains by working sets on the CPU: chooses rows, solves them, and adds their changes to f of all rows.
#include "numeric/svm/blocked_training.hpp"

#include "core/run_control.hpp"
#include "numeric/svm/kernel_cache.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "numeric/svm/linear_gradient.hpp"
#include "numeric/svm/multipliers.hpp"
#include "numeric/svm/working_set.hpp"
#include "scheduler/iterative/step_log.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace duomap {
namespace {

// The rows of a working set, and the part to which its gap shrinks. Of sets of 256 to 2048 rows, and parts of
// 0.01 to 0.4, these were fastest on a9a (C = 100, gamma = 0.5). Half of a set's rows come from the set
// before, so that two sets do not undo each other's work.
constexpr std::size_t rows_of_set = 1024;
constexpr double part_of_gap = 0.25;

// A working set takes at most an eighth of a small problem. Of parts from 1/2 to 1/16, an eighth was fastest
// on USPS (45 pairs of 1300 rows): 0.17 s.
constexpr std::size_t part_of_rows = 8;

// Training checks for an interrupt after this number of steps, which take 0.1 s.
constexpr std::uint64_t steps_of_round = 100'000;

// From this number of numbers in a row on, reading the row's kernel row is faster than computing it.
constexpr std::uint64_t numbers_worth_keeping = 48;

/// Copies of some rows, with their squared norms for products.
template <class T>
struct point_rows {
  row_copies<T> copies;
  svm_rows_of<T> rows;
  std::vector<T> norms;

  point_rows(const svm_rows_of<T>& from, std::span<const std::uint32_t> which)
    : copies(from, which), rows(copies.view()), norms(squared_norms(rows)) {}
};

/// The number of points whose products with a panel are computed at once, so that the products stay in the
/// second-level cache.
template <class T>
std::uint64_t points_at_once(const kernel_rows<T>& all) {
  constexpr std::uint64_t bytes = std::uint64_t{512} << 10;
  return bytes / (all.panel_rows() * sizeof(T));
}

/// Computes kernel values in T.
template <class T>
class blocked_trainer {
 public:
  /// `rows` are the problem's rows in T.
  blocked_trainer(const svm_problem& problem, const svm_rows_of<T>& rows, worker_pool& pool)
    : problem_(problem),
      rows_(rows),
      pool_(pool),
      all_(problem),
      kernel_(rows, problem.kernel),
      cache_(rows.rows, rows.rows, cache_bytes(problem)),
      scratch_(pool.workers()),
      values_(pool.workers()) {}

  svm_solution train();

 private:
  /// Training in float32 trusts the gradient that it has added up. Training in float64 computes the gradient
  /// anew, and so checks the optimum.
  static constexpr bool is_exact = std::is_same_v<T, double>;

  static std::uint64_t cache_bytes(const svm_problem& problem);

  void fill_kernel(const std::vector<std::uint32_t>& rows, working_set<T>& set);
  /// `keep`: puts new kernel rows into the cache, as far as there is room.
  void add_changes(const std::vector<std::uint32_t>& rows, const std::vector<double>& changes, bool keep);
  void compute_f();

  const svm_problem& problem_;
  const svm_rows_of<T>& rows_;
  worker_pool& pool_;
  multipliers all_;
  kernel_rows<T> kernel_;
  kernel_cache<T> cache_;
  std::vector<panel_scratch<T>> scratch_;
  std::vector<std::vector<T>> values_;
};

template <class T>
std::uint64_t blocked_trainer<T>::cache_bytes(const svm_problem& problem) {
  // A short sparse row is computed as fast as its kernel row is read.
  const std::uint64_t numbers =
      problem.rows.is_sparse() ? problem.rows.values.size() : problem.rows.dense.size();
  return numbers < numbers_worth_keeping * problem.rows.rows ? 0 : problem.cache_bytes;
}

template <class T>
void blocked_trainer<T>::fill_kernel(const std::vector<std::uint32_t>& rows, working_set<T>& set) {
  const point_rows<T> points(rows_, rows);
  kernel_rows<T> among(points.rows, problem_.kernel);
  const std::uint64_t at_once = among.rows().is_sparse() ? points.rows.rows : 128;
  const std::uint64_t batches = (points.rows.rows + at_once - 1) / at_once;
  std::atomic<std::uint64_t> next{0};
  scheduler::run_logged(pool_, problem_.log, [&](unsigned worker) {
    std::vector<T>& values = values_[worker];
    values.resize(std::max(values.size(), at_once * among.panel_rows()));
    panel_scratch<T> scratch;
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

template <class T>
void blocked_trainer<T>::add_changes(const std::vector<std::uint32_t>& rows,
                                     const std::vector<double>& changes, bool keep) {
  const svm_vectors<T>& vectors = svm_vectors_for<T>(cpu::active_vector_path());
  // Rows in the cache come first, then rows that will be put there, then the others.
  std::vector<const T*> kept;
  std::vector<double> kept_changes, new_changes, other_changes;
  std::vector<std::uint32_t> computed, others;
  std::vector<T*> places;
  cache_.begin_round();
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (const T* const values = cache_.find(rows[p])) {
      kept.push_back(values);
      kept_changes.push_back(changes[p]);
    }
  }
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (cache_.find(rows[p]) != nullptr) continue;
    if (T* const place = keep ? cache_.make_room(rows[p]) : nullptr) {
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
  const point_rows<T> points(rows_, computed);
  const std::uint64_t at_once = points_at_once(kernel_), stride = kernel_.panel_rows();
  std::atomic<std::uint64_t> next{0};
  const std::uint64_t row_bytes = problem_.rows.bytes() / problem_.rows.rows;
  scheduler::run_logged(pool_, problem_.log, [&](unsigned worker) {
    std::uint64_t rows_done = 0;
    std::vector<T>& values = values_[worker];
    values.resize(std::max(values.size(), at_once * stride));
    std::vector<const T*> of_panel(std::max(kept.size(), std::size_t{at_once}));
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

template <class T>
void blocked_trainer<T>::compute_f() {
  if constexpr (is_exact) {
    if (has_linear_f(rows_, problem_.kernel.kind)) return compute_linear_f(rows_, all_, pool_);
  }
  std::vector<std::uint32_t> rows;
  std::vector<double> values;
  for (std::size_t i = 0; i < all_.f.size(); ++i) {
    const multiplier& one = all_.of_row[i];
    all_.f[i] = one.positive ? -1 : 1;
    if (one.alpha == 0) continue;
    rows.push_back(static_cast<std::uint32_t>(i));
    values.push_back(one.positive ? one.alpha : -one.alpha);
  }
  add_changes(rows, values, !is_exact);  // float64 keeps no rows: training usually ends here
}

template <class T>
svm_solution blocked_trainer<T>::train() {
  // A set must not be most of a small problem, because its kernel matrix would cost more than the pass over
  // all rows. Training in float64 is different: its many small steps are fastest among all rows.
  const std::size_t part = is_exact ? all_.f.size() : all_.f.size() / part_of_rows;
  const std::size_t size = std::min(std::clamp(part, std::size_t{64}, rows_of_set), all_.f.size());
  const std::uint64_t most = remaining_iterations(problem_);
  std::optional<working_set<T>> set;
  std::vector<std::uint32_t> rows, changed;
  std::vector<double> changes;
  std::uint64_t iterations = 0, rounds = 0;
  bool given_up = false;
  bool overflowed = false;
  bool stands_still = false;  // steps are too small to change a multiplier
  bool computed_anew = true;  // f was computed anew from these multipliers
  stagnation stagnant;
  if (!problem_.start.empty()) compute_f();
  for (;;) {
    stop_if_cancelled(problem_.control);
    const bounds now = bounds_of(all_);
    if (now.gap() < problem_.tolerance || iterations >= most || stands_still) {
      if (!is_exact || computed_anew) break;
      compute_f();
      computed_anew = true;
      continue;
    }
    if (!is_exact && stagnant.seen(now.gap(), iterations)) break;
    given_up = problem_.give_up && problem_.give_up();
    if (given_up) break;
    rows = choose_working_set(all_, now, size, size / 2, rows);
    if (!set) set.emplace(size);
    set->begin(all_, rows);
    fill_kernel(rows, *set);
    const std::uint64_t steps = set->solve(std::max(part_of_gap * now.gap(), 0.5 * problem_.tolerance),
                                           std::min(most - iterations, steps_of_round));
    overflowed = steps == 0 && set->overflows();
    if (steps == 0) break;  // no step is possible, or float32 cannot tell any two rows apart
    iterations += steps;
    changed.clear();
    changes.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      multiplier& one = all_.of_row[rows[i]];
      const double by = set->solved(i).alpha - one.alpha;
      if (by == 0) continue;
      one = set->solved(i);
      changed.push_back(rows[i]);
      changes.push_back(one.positive ? by : -by);
    }
    add_changes(changed, changes, true);
    ++rounds;
    count_rounds(problem_, 1);
    computed_anew = false;
    stands_still = changed.empty();
  }
  svm_solution solution = solution_of(all_, problem_.tolerance);
  solution.iterations = iterations;
  solution.rounds = rounds;
  solution.given_up = given_up;
  if (overflowed) solution.objective = std::numeric_limits<double>::quiet_NaN();
  return solution;
}

}  // namespace

svm_solution train_blocked(const svm_problem& problem, worker_pool& pool) {
  return blocked_trainer<float>(problem, problem.rows, pool).train();
}

svm_solution train_exactly(const svm_problem& problem, const svm_rows_of<double>& rows, worker_pool& pool) {
  return blocked_trainer<double>(problem, rows, pool).train();
}

}  // namespace duomap
