// Naive Bayes as a command of the program.
// host only
#pragma once

#include "apps/registry.hpp"

namespace duomap::apps {

[[nodiscard]] const app& naivebayes_app();

}  // namespace duomap::apps
