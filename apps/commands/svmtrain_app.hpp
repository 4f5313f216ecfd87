// Training of support vector machines as a command of the program.
// host only
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& svmtrain_app();

}  // namespace duomap::apps
