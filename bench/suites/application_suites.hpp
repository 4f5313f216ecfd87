// The suites that run the applications' own benchmarks.
// host only
#pragma once

#include "bench/harness/suite.hpp"

namespace duomap::apps {

/// `cpu`: every application's benchmark on the CPU, beside its baselines and installed programs. Texts, logs
/// and pages are synthetic.
[[nodiscard]] const suite& cpu_suite();

/// `coexec`: CPU and GPUs together against each alone, other ways to split, first runs, the scheduler's cost,
/// and the CPU alone against plain oneTBB. Without a GPU it measures only the last two.
[[nodiscard]] const suite& coexec_suite();

}  // namespace duomap::apps
