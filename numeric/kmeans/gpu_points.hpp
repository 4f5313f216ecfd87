// Finds and stores labels of points in a GPU's memory.
// host only
#pragma once

#include "numeric/common/gpu_matrix.hpp"
#include "numeric/kmeans/lloyd_step.hpp"

#include <cstdint>
#include <vector>

#if DUOMAP_HAS_CUDA
namespace duomap::gpu {

/// Finds the nearest centre of each point, with the result of lloyd_step::find_nearest(). `to` has room for
/// one number for each point, in the memory of the points' GPU or of the host.
void find_labels(gpu_matrix<float> points, const lloyd_step<float>& step, std::uint32_t* to);

/// Copies labels from the host into the memory of a GPU.
void store_labels(const std::vector<std::uint32_t>& labels, std::uint32_t* to);

}  // namespace duomap::gpu
#endif
