// Chooses the first centres of k-means.
// host only
#pragma once

#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/gpu_matrix.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace duomap {

/// Draws `count` different rows by `seed`; every subset is equally likely.
[[nodiscard]] std::vector<std::uint64_t> random_rows(std::uint64_t rows, std::uint64_t count,
                                                     std::uint64_t seed);

/// Chooses `count` rows by greedy k-means++ (Arthur and Vassilvitskii, SODA 2007, section 2.2; section 5
/// mentions the greedy variant). The first row is drawn uniformly. For each next row, 2 + ln(count)
/// candidates are drawn, with probabilities proportional to the squared distance to the nearest chosen row.
/// The candidate that leaves the smallest sum of squared distances wins; of equal ones, the first.
///
/// The rows come from a sample: one row out of each of 65,536 equally long ranges, or of 256 ranges for each
/// centre if these are more. A smaller table is its own sample. If all rows of the sample equal chosen ones,
/// the remaining rows are taken in order. A seed gives the same rows for any number of workers. `Points`: a
/// matrix_view or a gpu_matrix of T. `others`: see short_loops. @throws interrupted
template <class T, class Points>
[[nodiscard]] std::vector<std::uint64_t> spread_rows(Points points, std::uint64_t count, std::uint64_t seed,
                                                     worker_pool& pool, const std::atomic<unsigned>& others,
                                                     const run_control* control);

}  // namespace duomap
