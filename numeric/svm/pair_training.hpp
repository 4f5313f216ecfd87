// Trains two multipliers at a time, on the CPU.
// host only
#pragma once

#include "core/worker_pool.hpp"
#include "numeric/svm/svm_problem.hpp"

namespace duomap {

/// Solves the problem in steps of two multipliers. first_order takes the two rows that violate the optimum
/// most (algorithm 1 of Catanzaro et al. 2008). second_order takes the row that violates it most, and the row
/// with which a step gains most (Fan, Chen & Lin 2005). Each step is a map that updates f, with two
/// reductions over I_up and I_low; ties go to the smaller index. All workers together compute a kernel row
/// when it is first needed, and the trainer keeps rows up to problem.cache_bytes.
/// @throws interrupted; out_of_memory; usage_error for more than 2^31 rows
[[nodiscard]] svm_solution train_by_pairs(const svm_problem& problem, worker_pool& pool);

}  // namespace duomap
