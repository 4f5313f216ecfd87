// The suites that are lists of applications' own benchmarks.
// host only
#pragma once

#include "apps/bench/harness/suite.hpp"

namespace duomap::apps {

/// `cpu`: every application's benchmark on the CPU, beside its baselines and the programs that are installed.
/// Texts, logs and pages are synthetic.
[[nodiscard]] const suite& cpu_suite();

/// `coexec`: CPU and GPUs together against each alone, other ways to split, first runs, what the scheduler
/// costs, and the CPU alone against plain oneTBB. Without a GPU the last two.
[[nodiscard]] const suite& coexec_suite();

}  // namespace duomap::apps
