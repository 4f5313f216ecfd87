// Lists the applications of `duomap` and of the libraries (houses) that it was linked with.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <string_view>

namespace duomap::apps {

// The applications of the framework; each is in NAME_app.cpp.
extern const app aggregate_app;
extern const app invertedindex_app;
extern const app pageviewcount_app;
extern const app pageviewrank_app;
extern const app stringmatch_app;
extern const app wordcount_app;

/// All applications: these and those of all groups (apps/cli/application_group.hpp), sorted by name.
[[nodiscard]] applications all_apps();

/// The application of that name; nullptr when there is none.
[[nodiscard]] const app* find_app(std::string_view name);

}  // namespace duomap::apps
