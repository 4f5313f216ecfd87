// Principal component analysis as a command of the program.
// host only
#pragma once

#include "apps/registry.hpp"

namespace duomap::apps {

[[nodiscard]] const app& pca_app();

}  // namespace duomap::apps
