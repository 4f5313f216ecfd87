// Training by working sets of many rows, on the CPU.
// host only
#pragma once

#include "apps/algorithms/svm/svm_problem.hpp"
#include "core/worker_pool.hpp"

namespace duomap {

/// Solves the problem in rounds: the rows that violate the optimum most make a working set (svm_light's
/// decomposition, Joachims 1999), whose kernel matrix is one product; steps of two multipliers solve it
/// nearly (working_set); then one pass over all rows computes the kernel of those whose multiplier has
/// changed, and adds what that makes of each f, while its values are in the cache.
///
/// The sums f are float64, kernel values float32. At the end f is computed anew from the multipliers, and the
/// criterion has to hold for that.
/// @throws interrupted; out_of_memory
[[nodiscard]] svm_solution train_blocked(const svm_problem& problem, worker_pool& pool);

}  // namespace duomap
