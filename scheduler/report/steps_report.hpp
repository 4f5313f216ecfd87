// The report of a job in steps as that of a run.
// host only
#pragma once

#include "core/iterative_report.hpp"
#include "core/report.hpp"

#include <cstdint>

namespace duomap::scheduler {

/// Fills in what the steps say: executors, with their parts of all steps, time, notes, timeline. `units`: of
/// the run; `workers`: of its pool.
void add_steps(const iterative_report& steps, std::uint64_t units, unsigned workers, run_report& report);

}  // namespace duomap::scheduler
