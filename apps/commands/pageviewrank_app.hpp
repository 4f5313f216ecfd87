// Page view rank as a command of the program.
// host only
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& pageviewrank_app();

}  // namespace duomap::apps
