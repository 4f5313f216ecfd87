// Trains by working sets of many rows, on the CPU.
// host only
#pragma once

#include "core/worker_pool.hpp"
#include "numeric/svm/svm_problem.hpp"

namespace duomap {

/// Solves the problem in rounds. The rows that violate the optimum most make a working set (svm_light's
/// decomposition, Joachims 1999), and one product computes its kernel matrix. Steps of two multipliers solve
/// the set nearly (working_set). Then one pass over all rows computes their kernel with each row of the set
/// whose multiplier has changed, and adds the change to each f while the values are in the cache.
///
/// f is float64, kernel values are float32.
/// @throws interrupted; out_of_memory
[[nodiscard]] svm_solution train_blocked(const svm_problem& problem, worker_pool& pool);

/// Solves the problem with float64 kernel values. `rows` are the problem's rows in float64. Before it ends,
/// it computes f anew from the multipliers, and the criterion has to hold for this f. So when the problem
/// starts from another trainer's multipliers, this checks whether they are the optimum, and goes on if not.
/// @throws interrupted; out_of_memory
[[nodiscard]] svm_solution train_exactly(const svm_problem& problem, const svm_rows_of<double>& rows,
                                         worker_pool& pool);

}  // namespace duomap
