// The command `duomap run similarity`.
// host only
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& similarity_app();

}  // namespace duomap::apps
