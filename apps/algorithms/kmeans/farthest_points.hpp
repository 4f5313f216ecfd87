// The points that are farthest from their centres: where centres go that have no points.
// host only
#pragma once

#include "apps/algorithms/kmeans/farthest_in_groups.hpp"
#include "core/result.hpp"
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
/// smaller row. `groups`: what `task` found of all points. Looks at the rows of `count` groups. `Points`: a
/// matrix_view or a gpu_matrix of T, from where these rows come to the host. @throws interrupted
template <class T, class Points>
[[nodiscard]] std::vector<far_point> farthest_points(const Points& points, const farthest_in_groups<T>& task,
                                                     const result_for<farthest_in_groups<T>>& groups,
                                                     std::uint64_t count, worker_pool& pool,
                                                     const run_control* control);

}  // namespace duomap
