// What the training kernels of support vector machines read and write. For device code.
#pragma once

#include "apps/algorithms/svm/smo_candidate.cuh"

#include <cstdint>

namespace duomap::gpu {

/// How a launch ended.
struct smo_outcome {
  unsigned long long iterations;
  unsigned long long rounds;
  double gap;       ///< no number: steps change nothing any more
  bool lacks_rows;  ///< it has ended because kernel rows are not there
};

/// f_i = sum_j a_j y_j K(i, j) - y_i, which is y_i times the gradient: a pair gains when the one that moves
/// up along y has the smaller f.
struct smo_arguments {
  const float* kernel;  ///< rows of count numbers, `stride` from one to the next, a multiple of 8
  std::uint64_t stride;
  const std::uint32_t*
      slot_of;  ///< which row is that of each point, or smo_nobody; nullptr: row p of point p
  const float* diagonal;
  const signed char* labels;  ///< +1 or -1
  double* alpha;
  double* f;
  std::uint32_t count;
  double positive_c;
  double negative_c;
  double epsilon;
  unsigned long long most_iterations;
  smo_candidate* slots;
  unsigned* arrived;
  smo_outcome* outcome;
};

/// No point, or no row.
inline constexpr std::uint32_t smo_nobody = 0xffffffffu;

// A pair along which the objective has no curvature moves to its bounds, as in LIBSVM.
inline constexpr float least_curvature = 1e-12f;

/// Whether more steps improve a gap. One that is not a number, or infinite, they do not.
__device__ inline bool smo_improves(double gap, double epsilon) { return gap >= epsilon && !isinf(gap); }

__device__ inline double smo_step(double from, double to, float curvature, double room_up, double room_down) {
  return fmin((to - from) / fmax(curvature, least_curvature), fmin(room_up, room_down));
}

}  // namespace duomap::gpu
