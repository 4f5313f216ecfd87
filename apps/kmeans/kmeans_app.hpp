// The application `kmeans`.
#pragma once

#include "apps/registry.hpp"

namespace duomap::apps {

[[nodiscard]] const app& kmeans_app();

}  // namespace duomap::apps
