// The application `aggregate`.
#pragma once

#include "apps/registry.hpp"

namespace duomap::apps {

[[nodiscard]] const app& aggregate_app();

}  // namespace duomap::apps
