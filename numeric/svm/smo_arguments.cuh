// Declares the arguments of the training kernels of support vector machines. For device code.
#pragma once

#include "numeric/svm/smo_candidate.cuh"

#include <cstdint>

namespace duomap::gpu {

struct smo_outcome {
  unsigned long long iterations;
  unsigned long long rounds;
  double gap;       ///< NaN: no step changes anything any more
  bool lacks_rows;  ///< the launch ended because kernel rows are missing
};

/// The arguments of all kernels. f_i = sum_j a_j y_j K(i, j) - y_i, which is y_i times the gradient. A step
/// gains if the point that moves up along y has the smaller f of the two.
struct smo_arguments {
  const float* kernel;  ///< rows of `count` numbers, a multiple of 8 (`stride`) apart
  std::uint64_t stride;
  const std::uint32_t*
      slot_of;  ///< the kernel row of each point, or smo_no_index; nullptr: row p is the row of point p
  const float* diagonal;
  const signed char* labels;  ///< +1 or -1
  double* alpha;
  double* f;
  std::uint32_t count;
  double positive_c;
  double negative_c;
  double tolerance;
  unsigned long long max_iterations;
  smo_candidate* slots;
  unsigned* arrived;
  smo_outcome* outcome;
};

/// The index that means no point, or no row.
inline constexpr std::uint32_t smo_no_index = 0xffffffffu;

// If the objective has no curvature for a pair, the pair moves to its bounds, as in LIBSVM.
inline constexpr float least_curvature = 1e-12f;

/// Whether more steps can improve the gap: not if it is NaN or infinite.
__device__ inline bool smo_improves(double gap, double tolerance) { return gap >= tolerance && !isinf(gap); }

__device__ inline double smo_step(double from, double to, float curvature, double room_up, double room_down) {
  return fmin((to - from) / fmax(curvature, least_curvature), fmin(room_up, room_down));
}

}  // namespace duomap::gpu
