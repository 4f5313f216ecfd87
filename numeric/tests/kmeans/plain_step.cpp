#include "numeric/tests/kmeans/plain_step.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace duomap {

template <class T>
plain_sums plain_step(matrix_view<T> points, matrix_view<double> centres) {
  std::vector<T> at(centres.rows * centres.columns);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<T>(centres.data[i]);
  plain_sums found{std::vector<std::uint64_t>(centres.rows), std::vector<double>(at.size()), 0};
  for (std::uint64_t p = 0; p < points.rows; ++p) {
    const T* const point = points.data + p * points.columns;
    T smallest = std::numeric_limits<T>::infinity();
    std::uint64_t nearest = 0;
    for (std::uint64_t c = 0; c < centres.rows; ++c) {
      T square = 0;
      for (std::uint64_t d = 0; d < points.columns; ++d) {
        const T difference = point[d] - at[c * points.columns + d];
        square += difference * difference;
      }
      if (square < smallest) {
        smallest = square;
        nearest = c;
      }
    }
    ++found.sizes[nearest];
    found.inertia += static_cast<double>(smallest);
    for (std::uint64_t d = 0; d < points.columns; ++d)
      found.sums[nearest * points.columns + d] += static_cast<double>(point[d]);
  }
  return found;
}

template plain_sums plain_step(matrix_view<float> points, matrix_view<double> centres);
template plain_sums plain_step(matrix_view<double> points, matrix_view<double> centres);

namespace apps {

lloyd_clusters lloyd_in_loops(matrix_view<float> points, matrix_view<double> first_centres,
                              std::uint32_t iterations) {
  matrix<double> centres(first_centres.rows, first_centres.columns, "the centres");
  std::ranges::copy(first_centres.values(), centres.data());
  for (std::uint32_t i = 0; i < iterations; ++i) {
    const plain_sums sums = plain_step(points, centres.view());
    for (std::uint64_t c = 0; c < centres.rows(); ++c) {
      if (sums.sizes[c] == 0) continue;
      for (std::uint64_t d = 0; d < centres.columns(); ++d)
        centres.row(c)[d] = sums.sums[c * centres.columns() + d] / static_cast<double>(sums.sizes[c]);
    }
  }
  plain_sums last = plain_step(points, centres.view());
  return {std::move(centres), std::move(last.sizes)};
}

}  // namespace apps

}  // namespace duomap
