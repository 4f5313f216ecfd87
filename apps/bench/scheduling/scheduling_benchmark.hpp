// The benchmark of the scheduler as `duomap bench scheduling`; there is nothing to run.
// host only
#pragma once

#include "apps/bench/harness/benchmark.hpp"

namespace duomap::apps {

[[nodiscard]] const benchmark& scheduling_benchmark();

}  // namespace duomap::apps
