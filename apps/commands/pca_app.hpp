// Principal component analysis as a command of the program.
// host only
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& pca_app();

}  // namespace duomap::apps
