// Finds the points farthest from their centres, to fill empty clusters.
// host only
#pragma once

#include "core/result.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "numeric/kmeans/farthest_in_groups.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

struct far_point {
  double square = 0;  ///< squared distance to the centre
  std::uint64_t row = 0;
  std::uint32_t centre = 0;  ///< the nearest centre
};

/// Returns at most `count` points off their centres, the farthest first; of equally far points the smaller
/// row comes first. `groups`: the result of `task` for all points. Reads the rows of `count` groups.
/// `Points`: a matrix_view, or a gpu_matrix of T whose rows are copied to the host. @throws interrupted
template <class T, class Points>
[[nodiscard]] std::vector<far_point> farthest_points(const Points& points, const farthest_in_groups<T>& task,
                                                     const result_for<farthest_in_groups<T>>& groups,
                                                     std::uint64_t count, worker_pool& pool,
                                                     const run_control* control);

}  // namespace duomap
