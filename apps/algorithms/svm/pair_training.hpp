// Training two multipliers at a time, on the CPU.
// host only
#pragma once

#include "apps/algorithms/svm/svm_problem.hpp"
#include "core/worker_pool.hpp"

namespace duomap {

/// Solves the problem by steps of the two multipliers that violate the optimum most (first_order: algorithm 1
/// of Catanzaro et al. 2008), or of the one that does and the one whose step with it gains most
/// (second_order: Fan, Chen & Lin 2005). Each step is a map that updates f, with two reductions over I_up and
/// I_low; ties go to the smaller index. Kernel rows are computed by all workers when they are first needed,
/// and kept, up to problem.cache_bytes.
/// @throws interrupted; out_of_memory; usage_error for more than 2^31 rows
[[nodiscard]] svm_solution train_by_pairs(const svm_problem& problem, worker_pool& pool);

}  // namespace duomap
