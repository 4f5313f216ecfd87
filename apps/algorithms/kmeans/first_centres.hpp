// Where the centres of k-means begin.
// host only
#pragma once

#include "apps/algorithms/numeric/gpu_matrix.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace duomap {

/// `count` different rows, each choice of them as likely, drawn by `seed`.
[[nodiscard]] std::vector<std::uint64_t> random_rows(std::uint64_t rows, std::uint64_t count,
                                                     std::uint64_t seed);

/// k-means++ (Arthur and Vassilvitskii, SODA 2007, section 2.2): `count` rows, the first as likely as any
/// other. For each next one 2 + ln(count) candidates are drawn with probabilities proportional to their
/// squared distance to the nearest so far, and that one is taken which leaves the smallest sum of these, the
/// first of equal ones (the greedy variant, which the paper's section 5 mentions). They are chosen among a
/// sample of 65,536 rows, or of 256 for each centre if that is more: one from each of as many ranges of equal
/// length; among all rows where there are not more. When all rows of the sample are equal to chosen ones,
/// rows that were not chosen yet follow in order. The same rows for a seed, whatever the number of workers.
/// `Points`: a matrix_view or a gpu_matrix of T. `others`: see short_loops.
/// @throws interrupted
template <class T, class Points>
[[nodiscard]] std::vector<std::uint64_t> spread_rows(Points points, std::uint64_t count, std::uint64_t seed,
                                                     worker_pool& pool, const std::atomic<unsigned>& others,
                                                     const run_control* control);

}  // namespace duomap
