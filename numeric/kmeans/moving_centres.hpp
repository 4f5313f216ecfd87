// Keeps the centres of k-means between two steps: gives a step its arguments, and moves the centres by the
// step's sums.
// host only
#pragma once

#include "core/result.hpp"
#include "numeric/kmeans/lloyd_step.hpp"
#include "numeric/kmeans/point_grid.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// Owns the arrays to which a lloyd_step refers. Coordinates have the grid's shift subtracted.
template <class T>
class moving_centres {
 public:
  /// `first`: the centres, `clusters` rows as wide as the grid.
  moving_centres(point_grid<T> grid, std::uint32_t clusters, std::vector<double> first);

  /// The step for the current centres; valid until the next call of step() or move().
  [[nodiscard]] lloyd_step<T> step(bool squares);

  /// Takes the sums of a step. The first call needs sums with squares.
  void take(const result_for<lloyd_step<T>>& sums);

  /// Whether the last two steps gave the same sums, so that nothing will move any more.
  [[nodiscard]] bool stand_still() const noexcept { return stand_still_; }

  /// Moves a point from the cluster `from` of its nearest centre to the cluster `to`, by changing the sums of
  /// the last take().
  void move_point(const T* point, std::uint32_t from, std::uint32_t to);

  /// Moves each centre to the mean of the points in the sums taken last. Returns the sum of the squared
  /// movements of all coordinates.
  double move();

  /// Moves each centre to a row of `to`, whose coordinates include the shift.
  void move_to(const matrix<double>& to);

  /// Whether the inertia of the last take() has a relative error below 2^-20 from rounding to the grid, and
  /// below 2^-10 from rounding shifted coordinates to T.
  [[nodiscard]] bool grid_is_fine() const;
  /// Whether |c|^2 / 2 - c x in T gives every point on a centre the label of this centre.
  [[nodiscard]] bool centres_are_apart() const;
  /// Whether the grid holds all of these points without rounding.
  [[nodiscard]] bool holds_exactly(matrix_view<double> points) const;

  /// The mean of the columns' variances.
  [[nodiscard]] double mean_variance() const;
  /// The sum of the squared distances to the current centres, over the points in the sums taken last.
  [[nodiscard]] double inertia() const;
  [[nodiscard]] std::uint64_t size(std::uint32_t cluster) const;
  [[nodiscard]] std::uint32_t clusters() const { return clusters_; }
  [[nodiscard]] std::uint32_t dimensions() const { return static_cast<std::uint32_t>(grid_.shift.size()); }
  /// A coordinate of a centre, with the shift added.
  [[nodiscard]] double at(std::uint32_t cluster, std::uint32_t dimension) const;

 private:
  __extension__ using wide = __int128;

  [[nodiscard]] std::int64_t sum(std::uint32_t cluster, std::uint32_t dimension) const {
    return sums_[std::uint64_t{cluster} * (dimensions() + 1) + dimension];
  }
  [[nodiscard]] double mean(std::uint32_t cluster, std::uint32_t dimension) const;
  [[nodiscard]] double inertia_of_dimension(std::uint32_t dimension) const;

  point_grid<T> grid_;
  std::uint32_t clusters_;
  std::vector<double> centres_;
  std::vector<double> rounders_;
  std::vector<T> negative_;
  std::vector<T> half_squares_;
  std::vector<std::int64_t> sums_;  // of the last step, without those of squares
  std::vector<wide> squares_;       // for each dimension over all points, in squares of its unit
  bool stand_still_ = false;
};

}  // namespace duomap
