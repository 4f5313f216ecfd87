// The applications of `duomap`.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <string_view>

namespace duomap::apps {

/// Sorted by name.
[[nodiscard]] applications all_apps();

/// The application of that name; nullptr when there is none.
[[nodiscard]] const app* find_app(std::string_view name);

}  // namespace duomap::apps
