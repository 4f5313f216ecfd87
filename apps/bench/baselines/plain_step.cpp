#include "apps/bench/baselines/plain_step.hpp"

#include <limits>

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

}  // namespace duomap
