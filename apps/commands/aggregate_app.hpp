// The application `aggregate`.
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

[[nodiscard]] const app& aggregate_app();

}  // namespace duomap::apps
