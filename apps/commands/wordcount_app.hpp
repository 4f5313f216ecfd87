// Word count as a command of the program.
// host only
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& wordcount_app();

}  // namespace duomap::apps
