// The benchmark of the scheduler as `duomap bench scheduling`; there is nothing to run.
// host only
#pragma once

#include "apps/registry.hpp"

namespace duomap::apps {

[[nodiscard]] const app& scheduling_app();

}  // namespace duomap::apps
