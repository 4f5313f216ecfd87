// The command `duomap run matmul`.
// host only
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& matmul_app();

}  // namespace duomap::apps
