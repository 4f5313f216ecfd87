// Classification by support vector machines as a command of the program.
// host only
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& svmclassify_app();

}  // namespace duomap::apps
