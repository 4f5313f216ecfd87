// The centres of k-means between two steps: what a step is given, and what is made of its sums.
// host only
#pragma once

#include "apps/algorithms/kmeans/lloyd_step.hpp"
#include "apps/algorithms/kmeans/point_grid.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// Keeps what a lloyd_step refers to. Coordinates are those less the grid's shift.
template <class T>
class moving_centres {
 public:
  /// `first`: the centres, `clusters` rows of as many coordinates as the grid has columns.
  moving_centres(point_grid<T> grid, std::uint32_t clusters, std::vector<double> first);

  /// The step for the centres as they are now; valid until the next call of step() or move().
  [[nodiscard]] lloyd_step<T> step(bool squares);

  /// Takes the sums of a step. The first are those of a step with squares.
  void take(const result_for<lloyd_step<T>>& sums);

  /// Whether the last two steps gave the same sums: nothing will move any more.
  [[nodiscard]] bool stand_still() const noexcept { return stand_still_; }

  /// Takes a point out of one cluster, whose nearest centre is that one's, and makes another one of it alone;
  /// of what was taken last.
  void move_point(const T* point, std::uint32_t from, std::uint32_t to);

  /// Moves each centre to the mean of the points that were taken; returns the sum of the squares of what the
  /// coordinates moved by.
  double move();

  /// The mean of the columns' variances.
  [[nodiscard]] double mean_variance() const;
  /// Squared distances of the points taken to the centres as they are now.
  [[nodiscard]] double inertia() const;
  [[nodiscard]] std::uint64_t size(std::uint32_t cluster) const;
  /// A coordinate of a centre, with the shift.
  [[nodiscard]] double at(std::uint32_t cluster, std::uint32_t dimension) const;

 private:
  __extension__ using wide = __int128;

  [[nodiscard]] std::uint32_t dimensions() const { return static_cast<std::uint32_t>(grid_.shift.size()); }
  [[nodiscard]] std::int64_t sum(std::uint32_t cluster, std::uint32_t dimension) const {
    return sums_[std::uint64_t{cluster} * (dimensions() + 1) + dimension];
  }
  [[nodiscard]] double mean(std::uint32_t cluster, std::uint32_t dimension) const;

  point_grid<T> grid_;
  std::uint32_t clusters_;
  std::vector<double> centres_;
  std::vector<double> rounders_;
  std::vector<T> negative_;
  std::vector<T> half_squares_;
  std::vector<std::int64_t> sums_;  // of the last step, without squares
  std::vector<wide> squares_;       // of all points, by dimension, in squares of its unit
  bool stand_still_ = false;
};

}  // namespace duomap
