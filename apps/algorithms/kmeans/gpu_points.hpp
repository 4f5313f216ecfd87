// The labels of points that lie in the memory of a GPU.
// host only
#pragma once

#include "apps/algorithms/kmeans/lloyd_step.hpp"
#include "apps/algorithms/numeric/gpu_matrix.hpp"

#include <cstdint>

#if DUOMAP_HAS_CUDA
namespace duomap::gpu {

/// The nearest centre of each point, as lloyd_step::find_nearest() finds it. `to`: as many numbers as there
/// are points, in the memory of their GPU or of the host.
void find_labels(gpu_matrix<float> points, const lloyd_step<float>& step, std::uint32_t* to);

}  // namespace duomap::gpu
#endif
