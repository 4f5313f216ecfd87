// String match as a command of the program.
// host only
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& stringmatch_app();

}  // namespace duomap::apps
