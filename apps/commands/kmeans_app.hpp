// The application `kmeans`.
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& kmeans_app();

}  // namespace duomap::apps
