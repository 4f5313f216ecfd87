#include "apps/algorithms/kmeans/moving_centres.hpp"

#include <cmath>
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
double moving_centres<T>::inertia() const {
  double all = 0;
  for (std::uint32_t d = 0; d < dimensions(); ++d) {
    // Of a cluster of n points with the sum s, the squared distances to the mean are those to 0 less s^2 / n.
    wide within = squares_[d];
    double beyond = 0;
    for (std::uint32_t c = 0; c < clusters_; ++c) {
      if (size(c) == 0) continue;
      within -= wide{sum(c, d)} * sum(c, d) / static_cast<wide>(size(c));
      const double distance = centres_[std::size_t{c} * dimensions() + d] - mean(c, d);
      beyond += static_cast<double>(size(c)) * distance * distance;
    }
    all += static_cast<double>(within) * grid_.units[d] * grid_.units[d] + beyond;
  }
  return all;
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
