// The points that are farthest from their centres: where centres go that have no points.
// host only
#pragma once

#include "apps/algorithms/kmeans/lloyd_step.hpp"
#include "apps/algorithms/numeric/gpu_matrix.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

struct far_point {
  double square = 0;  ///< of its distance to the centre
  std::uint64_t row = 0;
  std::uint32_t centre = 0;  ///< the nearest one
};

/// At most `count` points that do not lie on a centre, the farthest first, of equally far ones that with the
/// smaller row. @throws interrupted
template <class T>
[[nodiscard]] std::vector<far_point> farthest_points(matrix_view<T> points, const lloyd_step<T>& step,
                                                     std::uint64_t count, worker_pool& pool,
                                                     const run_control* control);

#if DUOMAP_HAS_CUDA
/// The same of points in the memory of a GPU, from where 12 bytes for each come to the host.
[[nodiscard]] std::vector<far_point> farthest_points(gpu_matrix<float> points, const lloyd_step<float>& step,
                                                     std::uint64_t count, worker_pool& pool,
                                                     const run_control* control);
#endif

}  // namespace duomap
