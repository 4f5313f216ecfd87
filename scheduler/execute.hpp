// Drives executors until all work is done.
#pragma once

#include "core/executor.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "scheduler/work.hpp"

#include <span>
#include <vector>

namespace duomap::scheduler {

/// Runs all executors at once on `all`, each taking chunks as fast as it can, and returns what each did. The
/// first executor is driven on the calling thread, each other one on a thread of its own.
/// @throws the first exception of any executor, after all have stopped
std::vector<executor_report> execute(work& all, std::span<executor* const> executors, run_control* control);

}  // namespace duomap::scheduler
