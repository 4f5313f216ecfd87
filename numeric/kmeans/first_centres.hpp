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
/// mentions the greedy variant). The first row is drawn uniformly. For each next row it draws 2 + ln(count)
/// candidates with probabilities proportional to the squared distance to the nearest chosen row, and takes
/// the candidate that leaves the smallest sum of squared distances (the first of equal ones). It chooses
/// among a sample of 65,536 rows, or of 256 rows for each centre if that is more: one row out of each of
/// equally long ranges. With no more rows than that, the sample is all rows. Once every row of the sample
/// equals a chosen one, it takes the remaining rows in order. A seed gives the same rows for any number of
/// workers. `Points`: a matrix_view or a gpu_matrix of T. `others`: see short_loops.
/// @throws interrupted
template <class T, class Points>
[[nodiscard]] std::vector<std::uint64_t> spread_rows(Points points, std::uint64_t count, std::uint64_t seed,
                                                     worker_pool& pool, const std::atomic<unsigned>& others,
                                                     const run_control* control);

}  // namespace duomap
