// Makes the report of a run from the report of an iterative job.
#pragma once

#include "core/iterative_report.hpp"
#include "core/report.hpp"

#include <cstdint>

namespace duomap::scheduler {

/// Copies the report of a job's steps into the report of a run: the executors with their parts of all steps,
/// the time, the notes and the timeline. `units`: of the run; `workers`: of its pool.
void add_steps(const iterative_report& steps, std::uint64_t units, unsigned workers, run_report& report);

}  // namespace duomap::scheduler
