// Finds the nearest centre of each point, in host memory.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/gpu_matrix.hpp"
#include "numeric/kmeans/lloyd_step.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// Returns for each point the nearest centre that `step` finds. @throws interrupted
template <class T>
[[nodiscard]] std::vector<std::uint32_t> labels_of(matrix_view<T> points, const lloyd_step<T>& step,
                                                   worker_pool& pool, const run_control* control);

#if DUOMAP_HAS_CUDA
[[nodiscard]] std::vector<std::uint32_t> labels_of(gpu_matrix<float> points, const lloyd_step<float>& step,
                                                   worker_pool& pool, const run_control* control);
#endif

}  // namespace duomap
