#include "apps/algorithms/kmeans/first_centres.hpp"

#include "apps/algorithms/numeric/ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace duomap {
namespace {

constexpr std::uint64_t least_sample = 65'536;
constexpr std::uint64_t sample_for_each = 256;
// Fixed, so that sums are the same for any number of workers.
constexpr std::uint64_t points_of_range = 2048;

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
  /// Below `limit` > 0; what is drawn beyond the last whole multiple is drawn again.
  std::uint64_t below(std::uint64_t limit) {
    const std::uint64_t beyond = std::numeric_limits<std::uint64_t>::max() / limit * limit;
    std::uint64_t drawn = next();
    while (drawn >= beyond) drawn = next();
    return drawn % limit;
  }
  /// From 0 up to, but not including, 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Rows of a sample, their coordinates less the shift, and the squared distance of each to the nearest chosen
/// one.
template <class T>
struct sample {
  std::vector<std::uint64_t> rows;
  std::uint64_t columns;
  std::vector<T> values;
  std::vector<T> nearest;
  std::vector<double> weight_of_range;

  template <class Points>
  sample(Points points, const std::vector<T>& shift, std::uint64_t size, random_numbers& random)
    : rows(size),
      columns(points.columns),
      nearest(size, std::numeric_limits<T>::infinity()),
      weight_of_range((size + points_of_range - 1) / points_of_range) {
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t begin = points.rows / size * i + std::min(i, points.rows % size);
      rows[i] = begin + random.below(points.rows / size + (i < points.rows % size ? 1 : 0));
    }
    values = rows_at(points, rows);
    for (std::uint64_t i = 0; i < values.size(); ++i) values[i] -= shift[i % columns];
  }

  [[nodiscard]] T square_between(std::uint64_t a, std::uint64_t b) const {
    const T* const one = values.data() + a * columns;
    const T* const other = values.data() + b * columns;
    T square = 0;
    for (std::uint64_t c = 0; c < columns; ++c) square += (one[c] - other[c]) * (one[c] - other[c]);
    return square;
  }

  void choose(std::uint64_t chosen, worker_pool& pool, const run_control* control) {
    for_each_range(pool, rows.size(), points_of_range, control, [&](std::uint64_t begin, std::uint64_t end) {
      double weight = 0;
      for (std::uint64_t i = begin; i < end; ++i) {
        nearest[i] = std::min(nearest[i], square_between(i, chosen));
        weight += static_cast<double>(nearest[i]);
      }
      weight_of_range[begin / points_of_range] = weight;
    });
  }

  /// For each candidate what the squared distances would add up to with it among the chosen.
  [[nodiscard]] std::vector<double> weights_with(const std::vector<std::uint64_t>& candidates,
                                                 worker_pool& pool, const run_control* control) const {
    const std::size_t count = candidates.size();
    std::vector<double> of_range(weight_of_range.size() * count);
    for_each_range(pool, rows.size(), points_of_range, control, [&](std::uint64_t begin, std::uint64_t end) {
      double* const to = of_range.data() + begin / points_of_range * count;
      for (std::uint64_t i = begin; i < end; ++i) {
        for (std::size_t one = 0; one < count; ++one)
          to[one] += static_cast<double>(std::min(nearest[i], square_between(i, candidates[one])));
      }
    });
    std::vector<double> all(count);
    for (std::size_t at = 0; at < of_range.size(); ++at) all[at % count] += of_range[at];
    return all;
  }

  /// The row at which the weights up to it exceed `part` of all; the number of rows when all are 0.
  [[nodiscard]] std::uint64_t at(double part) const {
    double all = 0;
    for (const double weight : weight_of_range) all += weight;
    double left = part * all;
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
    // Rounding has left a little at the end: the last row that could be chosen, wherever it is.
    for (std::uint64_t i = rows.size(); last == rows.size() && i > 0; --i) {
      if (nearest[i - 1] > 0) last = i - 1;
    }
    return last;
  }
};

}  // namespace

std::vector<std::uint64_t> random_rows(std::uint64_t rows, std::uint64_t count, std::uint64_t seed) {
  // Floyd's choice of a subset (Bentley, CACM 30, 1987).
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

template <class Points, class T>
std::vector<std::uint64_t> spread_rows(Points points, const std::vector<T>& shift, std::uint64_t count,
                                       std::uint64_t seed, worker_pool& pool, const run_control* control) {
  random_numbers random(seed);
  const std::uint64_t size = std::min(points.rows, std::max(least_sample, sample_for_each * count));
  sample<T> from(points, shift, size, random);
  // As many as scikit-learn draws.
  const auto tries = 2 + static_cast<std::uint32_t>(std::log(static_cast<double>(count)));
  std::vector<std::uint64_t> chosen = {random.below(size)};
  std::vector<bool> taken(size);
  taken[chosen.front()] = true;
  while (chosen.size() < count) {
    from.choose(chosen.back(), pool, control);
    std::vector<std::uint64_t> candidates;
    for (std::uint32_t i = 0; i < tries; ++i) candidates.push_back(from.at(random.unit()));
    std::uint64_t next = candidates.front();
    if (next == size) {
      next = 0;
      while (taken[next]) ++next;
    } else {
      const std::vector<double> weights = from.weights_with(candidates, pool, control);
      next = candidates[static_cast<std::size_t>(std::ranges::min_element(weights) - weights.begin())];
    }
    taken[next] = true;
    chosen.push_back(next);
  }
  for (std::uint64_t& one : chosen) one = from.rows[one];
  return chosen;
}

template std::vector<std::uint64_t> spread_rows(matrix_view<float> points, const std::vector<float>& shift,
                                                std::uint64_t count, std::uint64_t seed, worker_pool& pool,
                                                const run_control* control);
template std::vector<std::uint64_t> spread_rows(matrix_view<double> points, const std::vector<double>& shift,
                                                std::uint64_t count, std::uint64_t seed, worker_pool& pool,
                                                const run_control* control);

#if DUOMAP_HAS_CUDA
template std::vector<std::uint64_t> spread_rows(gpu_matrix<float> points, const std::vector<float>& shift,
                                                std::uint64_t count, std::uint64_t seed, worker_pool& pool,
                                                const run_control* control);
#endif

}  // namespace duomap
