// Trains by working sets of many rows, on the CPU.
// host only
#pragma once

#include "core/worker_pool.hpp"
#include "numeric/svm/svm_problem.hpp"

namespace duomap {

/// Solves the problem in rounds. The rows that violate the optimum most make a working set (svm_light's
/// decomposition, Joachims 1999), and one product computes its kernel matrix. Steps of two multipliers nearly
/// solve the set (working_set). Then one pass over all rows takes the kernel values with the set's changed
/// rows, and adds the changes to f while the values are in the cache.
///
/// f is float64, kernel values are float32.
/// @throws interrupted; out_of_memory
[[nodiscard]] svm_solution train_blocked(const svm_problem& problem, worker_pool& pool);

/// Solves the problem with float64 kernel values. `rows` are the problem's rows in float64. Before it ends,
/// it computes f anew from the multipliers, and the criterion has to hold for this f. So a start from another
/// trainer's multipliers checks whether they are the optimum, and improves them if they are not.
/// @throws interrupted; out_of_memory
[[nodiscard]] svm_solution train_exactly(const svm_problem& problem, const svm_rows_of<double>& rows,
                                         worker_pool& pool);

}  // namespace duomap
