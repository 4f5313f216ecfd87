// The command `duomap run matmul`.
// host only
#pragma once

#include "apps/registry.hpp"

namespace duomap::apps {

[[nodiscard]] const app& matmul_app();

}  // namespace duomap::apps
