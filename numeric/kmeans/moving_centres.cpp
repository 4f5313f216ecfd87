// Makes steps from centres, makes centres from sums, and bounds the error of rounding to the grid.
#include "numeric/kmeans/moving_centres.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace duomap {

template <class T>
moving_centres<T>::moving_centres(point_grid<T> grid, std::uint32_t clusters, std::vector<double> first)
  : grid_(std::move(grid)),
    clusters_(clusters),
    centres_(std::move(first)),
    negative_(centres_.size()),
    half_squares_(clusters) {
  for (const double unit : grid_.units) rounders_.push_back(0x1.8p52 * unit);
}

template <class T>
lloyd_step<T> moving_centres<T>::step(bool squares) {
  for (std::uint32_t c = 0; c < clusters_; ++c) {
    double half_square = 0;
    for (std::uint32_t d = 0; d < dimensions(); ++d) {
      const std::size_t at = std::size_t{c} * dimensions() + d;
      negative_[at] = -static_cast<T>(centres_[at]);
      half_square += static_cast<double>(negative_[at]) * static_cast<double>(negative_[at]) / 2;
    }
    half_squares_[c] = static_cast<T>(half_square);
  }
  lloyd_step<T> next;
  next.dimensions = dimensions();
  next.low_bits = grid_.low_bits;
  next.squares = squares;
  next.shift = {grid_.shift.data(), grid_.shift.size()};
  next.rounders = {rounders_.data(), rounders_.size()};
  next.negative_centres = {negative_.data(), negative_.size()};
  next.half_squares = {half_squares_.data(), half_squares_.size()};
  return next;
}

template <class T>
void moving_centres<T>::take(const result_for<lloyd_step<T>>& sums) {
  std::vector<std::int64_t> found(std::uint64_t{clusters_} * (dimensions() + 1));
  for (std::uint64_t key = 0; key < found.size(); ++key) found[key] = sums[key];
  stand_still_ = found == sums_;
  sums_ = std::move(found);
  if (!squares_.empty()) return;
  for (std::uint64_t d = 0; d < dimensions(); ++d) {
    const std::uint64_t key = sums_.size() + 3 * d;
    const wide mixed = wide{sums[key + 1]} * 2;
    squares_.push_back(((wide{sums[key]} << grid_.low_bits) + mixed) * (wide{1} << grid_.low_bits) +
                       sums[key + 2]);
  }
}

template <class T>
void moving_centres<T>::move_point(const T* point, std::uint32_t from, std::uint32_t to) {
  std::int64_t* const less = sums_.data() + std::uint64_t{from} * (dimensions() + 1);
  std::int64_t* const more = sums_.data() + std::uint64_t{to} * (dimensions() + 1);
  for (std::uint32_t d = 0; d < dimensions(); ++d) {
    const double shifted = static_cast<double>(point[d] - grid_.shift[d]);
    const auto units = static_cast<std::int64_t>(std::nearbyint(shifted / grid_.units[d]));
    less[d] -= units;
    more[d] += units;
  }
  --less[dimensions()];
  ++more[dimensions()];
}

template <class T>
double moving_centres<T>::move() {
  double moved = 0;
  for (std::uint32_t c = 0; c < clusters_; ++c) {
    if (size(c) == 0) continue;
    for (std::uint32_t d = 0; d < dimensions(); ++d) {
      double& centre = centres_[std::size_t{c} * dimensions() + d];
      const double before = std::exchange(centre, mean(c, d));
      moved += (centre - before) * (centre - before);
    }
  }
  return moved;
}

template <class T>
double moving_centres<T>::mean_variance() const {
  double variances = 0;
  for (std::uint32_t d = 0; d < dimensions(); ++d) {
    double points = 0;
    wide all = 0;
    for (std::uint32_t c = 0; c < clusters_; ++c) {
      points += static_cast<double>(size(c));
      all += sum(c, d);
    }
    const double mean_units = static_cast<double>(all) / points;
    const double variance = static_cast<double>(squares_[d]) / points - mean_units * mean_units;
    variances += variance * grid_.units[d] * grid_.units[d];
  }
  return variances / dimensions();
}

template <class T>
double moving_centres<T>::inertia_of_dimension(std::uint32_t d) const {
  // The squared distances of n points with the sum s to their mean are the sum of squares less s^2 / n.
  wide within = squares_[d];
  double beyond = 0;
  for (std::uint32_t c = 0; c < clusters_; ++c) {
    if (size(c) == 0) continue;
    within -= wide{sum(c, d)} * sum(c, d) / static_cast<wide>(size(c));
    const double distance = centres_[std::size_t{c} * dimensions() + d] - mean(c, d);
    beyond += static_cast<double>(size(c)) * distance * distance;
  }
  return static_cast<double>(within) * grid_.units[d] * grid_.units[d] + beyond;
}

template <class T>
double moving_centres<T>::inertia() const {
  double all = 0;
  for (std::uint32_t d = 0; d < dimensions(); ++d) all += inertia_of_dimension(d);
  return all;
}

template <class T>
void moving_centres<T>::move_to(const matrix<double>& to) {
  for (std::size_t i = 0; i < centres_.size(); ++i)
    centres_[i] = to.data()[i] - static_cast<double>(grid_.shift[i % dimensions()]);
}

template <class T>
bool moving_centres<T>::grid_is_fine() const {
  double points = 0, all = 0, of_grid = 0, of_shift = 0;
  for (std::uint32_t c = 0; c < clusters_; ++c) points += static_cast<double>(size(c));
  for (std::uint32_t d = 0; d < dimensions(); ++d) {
    // Bounds the change of the inertia when each coordinate is off by at most `most`. The absolute values of
    // n differences add up to at most the root of n times the sum of their squares.
    const double square = std::max(inertia_of_dimension(d), 0.0);
    const auto error = [&](double most) {
      return 2 * most * std::sqrt(points * square) + points * most * most;
    };
    all += square;
    of_grid += error(grid_.units[d] / 2);
    of_shift +=
        error(std::ldexp(grid_.units[d], static_cast<int>(grid_.bits) - std::numeric_limits<T>::digits));
  }
  return of_grid <= 0x1p-20 * all && of_shift <= 0x1p-10 * all;
}

template <class T>
bool moving_centres<T>::centres_are_apart() const {
  // Sorts the centres by one coordinate, so that only few pairs need to be compared.
  std::uint32_t widest = 0;
  double widest_range = -1;
  std::vector<double> squares(clusters_);
  const auto coordinate = [&](std::uint32_t c, std::uint32_t d) {
    return centres_[std::size_t{c} * dimensions() + d];
  };
  double largest = 0;
  for (std::uint32_t d = 0; d < dimensions(); ++d) {
    double least = coordinate(0, d), most = least;
    for (std::uint32_t c = 0; c < clusters_; ++c) {
      least = std::min(least, coordinate(c, d));
      most = std::max(most, coordinate(c, d));
      squares[c] += coordinate(c, d) * coordinate(c, d);
      largest = std::max(largest, squares[c]);
    }
    if (most - least > widest_range) widest = d;
    widest_range = std::max(widest_range, most - least);
  }
  std::vector<std::uint32_t> order(clusters_);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t c) { return coordinate(c, widest); });
  // For a point on one of two centres, the scores differ by half the squared distance of the centres. A score
  // is off by at most (dimensions + 3) roundings of a centre's square; one of these comes from the shift.
  constexpr double rounding = std::numeric_limits<T>::epsilon() / 2;
  const double factor = 4 * (dimensions() + 3.0) * rounding;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const std::uint32_t a = order[i], b = order[j];
      const double along = coordinate(b, widest) - coordinate(a, widest);
      if (along * along > factor * largest) break;
      double square = 0;
      for (std::uint32_t d = 0; d < dimensions(); ++d) {
        const double by = coordinate(b, d) - coordinate(a, d);
        square += by * by;
      }
      if (square > 0 && square <= factor * std::max(squares[a], squares[b])) return false;
    }
  }
  return true;
}

template <class T>
bool moving_centres<T>::holds_exactly(matrix_view<double> points) const {
  for (std::uint64_t i = 0; i < points.rows * points.columns; ++i) {
    const std::size_t d = i % points.columns;
    const auto shift = static_cast<double>(grid_.shift[d]);
    const double shifted = points.data[i] - shift;
    // The digits that the subtraction lost (Knuth, The Art of Computer Programming 2, section 4.2.2).
    const double taken = shifted - points.data[i];
    const double lost = (points.data[i] - (shifted - taken)) - (shift + taken);
    const double units = shifted / grid_.units[d];
    if (lost != 0 || static_cast<double>(static_cast<T>(shifted)) != shifted ||
        units != std::nearbyint(units))
      return false;
  }
  return true;
}

template <class T>
std::uint64_t moving_centres<T>::size(std::uint32_t cluster) const {
  return static_cast<std::uint64_t>(sum(cluster, dimensions()));
}

template <class T>
double moving_centres<T>::at(std::uint32_t cluster, std::uint32_t dimension) const {
  return centres_[std::size_t{cluster} * dimensions() + dimension] +
         static_cast<double>(grid_.shift[dimension]);
}

template <class T>
double moving_centres<T>::mean(std::uint32_t cluster, std::uint32_t dimension) const {
  return static_cast<double>(sum(cluster, dimension)) / static_cast<double>(size(cluster)) *
         grid_.units[dimension];
}

template class moving_centres<float>;
template class moving_centres<double>;

}  // namespace duomap
