// What k-means asks of points that lie in the memory of a GPU.
// host only
#pragma once

#include "apps/algorithms/kmeans/lloyd_step.hpp"
#include "apps/algorithms/numeric/gpu_matrix.hpp"

#include <cstdint>
#include <vector>

#if DUOMAP_HAS_CUDA
namespace duomap::gpu {

/// Sums and extremes of parts of each range of rows. A range is taken as rows of `length` numbers, the last
/// one shorter; each number is added to that at the same place of the one before, as the CPU does it.
struct long_row_ranges {
  std::vector<double> sum;  ///< `length` for each range
  std::vector<float> least;
  std::vector<float> most;
};

[[nodiscard]] long_row_ranges find_ranges(gpu_matrix<float> points, std::uint64_t rows_of_range,
                                          std::uint64_t length);

/// The nearest centre of each point, as lloyd_step::find_nearest() finds it. `to`: as many numbers as there
/// are points, in the memory of their GPU or of the host.
void find_labels(gpu_matrix<float> points, const lloyd_step<float>& step, std::uint32_t* to);

/// The square of each point's distance to its nearest centre, and that centre.
struct nearest_squares {
  std::vector<double> square;
  std::vector<std::uint32_t> centre;
};

[[nodiscard]] nearest_squares find_squares(gpu_matrix<float> points, const lloyd_step<float>& step);

}  // namespace duomap::gpu
#endif
