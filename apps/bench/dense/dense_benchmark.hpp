// The benchmark of dense keys as `duomap bench dense`; there is nothing to run.
// host only
#pragma once

#include "apps/bench/harness/benchmark.hpp"

namespace duomap::apps {

[[nodiscard]] const benchmark& dense_benchmark();

}  // namespace duomap::apps
