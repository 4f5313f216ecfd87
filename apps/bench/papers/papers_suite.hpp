// The suite `papers`.
// host only
#pragma once

#include "apps/bench/harness/suite.hpp"

namespace duomap::apps {

[[nodiscard]] const suite& papers_suite();

}  // namespace duomap::apps
