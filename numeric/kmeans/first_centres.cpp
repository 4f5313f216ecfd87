// Chooses the first centres: random rows, or rows by greedy k-means++.
#include "numeric/kmeans/first_centres.hpp"

#include "core/error.hpp"
#include "numeric/common/ranges.hpp"
#include "numeric/common/short_loops.hpp"
#include "numeric/kmeans/vector_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <unordered_set>
#include <utility>

namespace duomap {
namespace {

constexpr std::uint64_t least_sample = 65'536;
constexpr std::uint64_t sample_for_each = 256;
// A fixed length of ranges makes sums the same for any number of workers.
constexpr std::uint64_t points_of_range = 2048;
constexpr std::uint32_t most_candidates = 24;
constexpr std::uint64_t rows_of_tile = kmeans_paths::rows_of_block;

/// Random numbers that are the same with every standard library (SplitMix64: Steele, Lea and Flood, OOPSLA
/// 2014).
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }
  /// A number below `limit` > 0. Draws again when the number lies beyond the last whole multiple of `limit`.
  std::uint64_t below(std::uint64_t limit) {
    const std::uint64_t beyond = std::numeric_limits<std::uint64_t>::max() / limit * limit;
    std::uint64_t drawn = next();
    while (drawn >= beyond) drawn = next();
    return drawn % limit;
  }
  /// A random number from 0 up to, but not including, 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// The rows of a sample, and the squared distance of each row to the nearest chosen row.
template <class T>
struct sample {
  std::vector<std::uint64_t> rows;
  std::uint64_t columns;
  const kmeans_paths::path<T>& paths = kmeans_paths::active<T>();
  /// Each block of `rows_of_tile` rows lies column by column, so that a vector holds one column of several
  /// rows.
  std::vector<T> values;

  struct distances {
    std::vector<T> nearest;
    std::vector<double> weight_of_range;
  };
  distances now;
  std::vector<distances> with;  ///< for each candidate of the last consider(): the distances if chosen

  template <class Points>
  sample(Points points, std::uint64_t size, random_numbers& random, worker_pool& pool,
         const run_control* control)
    : rows(size),
      columns(points.columns),
      values((size + rows_of_tile - 1) / rows_of_tile * rows_of_tile * columns),
      now{std::vector<T>(size, std::numeric_limits<T>::infinity()), {}} {
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t begin = points.rows / size * i + std::min(i, points.rows % size);
      rows[i] = begin + random.below(points.rows / size + (i < points.rows % size ? 1 : 0));
    }
    const auto keep = [&](std::uint64_t first, std::span<const T> some) {
      for (std::uint64_t r = 0; r < some.size() / columns; ++r) {
        T* const to = &values[place(first + r, 0)];
        for (std::uint64_t c = 0; c < columns; ++c) to[c * rows_of_tile] = some[r * columns + c];
      }
    };
    std::vector<T> of_gpu;
    if constexpr (!std::is_same_v<Points, matrix_view<T>>) of_gpu = rows_at(points, rows);
    for_each_range(pool, size, points_of_range, control, [&](std::uint64_t begin, std::uint64_t end) {
      if constexpr (std::is_same_v<Points, matrix_view<T>>) {
        keep(begin, rows_at(points, std::span(rows).subspan(begin, end - begin)));
      } else {
        keep(begin, std::span(of_gpu).subspan(begin * columns, (end - begin) * columns));
      }
    });
  }

  [[nodiscard]] std::uint64_t place(std::uint64_t row, std::uint64_t column) const {
    return (row / rows_of_tile * columns + column) * rows_of_tile + row % rows_of_tile;
  }

  [[nodiscard]] std::vector<T> point(std::uint64_t row) const {
    std::vector<T> at(columns);
    for (std::uint64_t c = 0; c < columns; ++c) at[c] = values[place(row, c)];
    return at;
  }

  [[nodiscard]] std::uint32_t ranges() const {
    return static_cast<std::uint32_t>((rows.size() + points_of_range - 1) / points_of_range);
  }

  /// Returns for each candidate the sum of the squared distances if this candidate were chosen, too.
  /// `workers` must run loops of ranges() indices.
  [[nodiscard]] std::vector<double> consider(const std::vector<std::uint64_t>& candidates,
                                             short_loops& workers) {
    std::vector<std::vector<T>> points;
    for (const std::uint64_t one : candidates) points.push_back(point(one));
    with.resize(candidates.size());
    for (distances& one : with) {
      one.nearest.resize(rows.size());
      one.weight_of_range.assign(ranges(), 0);
    }
    workers.for_each_index([&](std::uint32_t range) {
      const std::uint64_t begin = range * points_of_range;
      const std::uint64_t end = std::min<std::uint64_t>(rows.size(), begin + points_of_range);
      T squares[rows_of_tile];
      double weights[most_candidates] = {};
      for (std::uint64_t first = begin; first < end; first += rows_of_tile) {
        const std::uint64_t here = std::min(rows_of_tile, end - first);
        for (std::size_t i = 0; i < with.size(); ++i) {
          paths.squares_to(points[i].data(), static_cast<std::uint32_t>(columns), &values[place(first, 0)],
                           squares);
          T* const nearest = with[i].nearest.data() + first;
          for (std::uint64_t r = 0; r < here; ++r) nearest[r] = std::min(now.nearest[first + r], squares[r]);
        }
        // Adds to the candidates' sums in turn, because an addition to one sum waits for the one before.
        for (std::uint64_t r = 0; r < here; ++r) {
          for (std::size_t i = 0; i < with.size(); ++i)
            weights[i] += static_cast<double>(with[i].nearest[first + r]);
        }
      }
      for (std::size_t i = 0; i < with.size(); ++i) with[i].weight_of_range[range] = weights[i];
    });
    std::vector<double> all;
    for (const distances& one : with)
      all.push_back(std::accumulate(one.weight_of_range.begin(), one.weight_of_range.end(), 0.0));
    return all;
  }

  /// Chooses one of the candidates that consider() took last.
  void choose(std::size_t candidate) { std::swap(now, with[candidate]); }

  /// The first row where the running sum of weights exceeds `part` of the total; the number of rows when all
  /// weights are 0.
  [[nodiscard]] std::uint64_t at(double part) const {
    const std::vector<double>& weight_of_range = now.weight_of_range;
    const std::vector<T>& nearest = now.nearest;
    double left = part * std::accumulate(weight_of_range.begin(), weight_of_range.end(), 0.0);
    std::uint64_t last = rows.size();
    for (std::uint64_t range = 0; range < weight_of_range.size(); ++range) {
      if (left >= weight_of_range[range] && range + 1 < weight_of_range.size()) {
        left -= weight_of_range[range];
        continue;
      }
      const std::uint64_t end = std::min<std::uint64_t>(rows.size(), (range + 1) * points_of_range);
      for (std::uint64_t i = range * points_of_range; i < end; ++i) {
        if (!(nearest[i] > 0)) continue;
        last = i;
        left -= static_cast<double>(nearest[i]);
        if (left < 0) return i;
      }
    }
    // Rounding may leave a remainder at the end. Then this takes the last row that can be chosen.
    for (std::uint64_t i = rows.size(); last == rows.size() && i > 0; --i) {
      if (nearest[i - 1] > 0) last = i - 1;
    }
    return last;
  }
};

}  // namespace

std::vector<std::uint64_t> random_rows(std::uint64_t rows, std::uint64_t count, std::uint64_t seed) {
  // The loop is Floyd's choice of a subset (Bentley, CACM 30, 1987).
  random_numbers random(seed);
  std::unordered_set<std::uint64_t> taken;
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t last = rows - count; last < rows; ++last) {
    const std::uint64_t drawn = random.below(last + 1);
    chosen.push_back(taken.insert(drawn).second ? drawn : last);
    taken.insert(chosen.back());
  }
  return chosen;
}

template <class T, class Points>
std::vector<std::uint64_t> spread_rows(Points points, std::uint64_t count, std::uint64_t seed,
                                       worker_pool& pool, const std::atomic<unsigned>& others,
                                       const run_control* control) {
  random_numbers random(seed);
  const std::uint64_t size = std::min(points.rows, std::max(least_sample, sample_for_each * count));
  sample<T> from(points, size, random, pool, control);
  // scikit-learn considers the same number of candidates.
  const auto tries = 2 + static_cast<std::uint32_t>(std::log(static_cast<double>(count)));
  expects(tries <= most_candidates, "k-means++ chooses fewer than 2^32 centres");
  std::vector<std::uint64_t> chosen = {random.below(size)};
  std::vector<bool> taken(size);
  taken[chosen.front()] = true;
  short_loops::run(pool, from.ranges(), others, [&](short_loops& workers) {
    static_cast<void>(from.consider(chosen, workers));
    from.choose(0);
    while (chosen.size() < count) {
      stop_if_cancelled(control);
      std::vector<std::uint64_t> candidates;
      for (std::uint32_t i = 0; i < tries; ++i) candidates.push_back(from.at(random.unit()));
      std::size_t best = 0;
      if (candidates.front() == size) {
        // If every row equals a chosen one, any row will do.
        candidates = {0};
        while (taken[candidates.front()]) ++candidates.front();
      } else {
        const std::vector<double> weights = from.consider(candidates, workers);
        best = static_cast<std::size_t>(std::ranges::min_element(weights) - weights.begin());
        from.choose(best);
      }
      taken[candidates[best]] = true;
      chosen.push_back(candidates[best]);
    }
  });
  for (std::uint64_t& one : chosen) one = from.rows[one];
  return chosen;
}

template std::vector<std::uint64_t> spread_rows<float>(matrix_view<float> points, std::uint64_t count,
                                                       std::uint64_t seed, worker_pool& pool,
                                                       const std::atomic<unsigned>& others,
                                                       const run_control* control);
template std::vector<std::uint64_t> spread_rows<double>(matrix_view<double> points, std::uint64_t count,
                                                        std::uint64_t seed, worker_pool& pool,
                                                        const std::atomic<unsigned>& others,
                                                        const run_control* control);

#if DUOMAP_HAS_CUDA
template std::vector<std::uint64_t> spread_rows<float>(gpu_matrix<float> points, std::uint64_t count,
                                                       std::uint64_t seed, worker_pool& pool,
                                                       const std::atomic<unsigned>& others,
                                                       const run_control* control);
#endif

}  // namespace duomap
