// The benchmark of dense keys as `duomap bench dense`; there is nothing to run.
// host only
#pragma once

#include "apps/registry.hpp"

namespace duomap::apps {

[[nodiscard]] const app& dense_app();

}  // namespace duomap::apps
