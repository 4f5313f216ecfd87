// Collects the applications of the framework and of the libraries (houses) that the program was linked with.
#include "apps/commands/registry.hpp"

#include "apps/cli/application_group.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace duomap::apps {

applications all_apps() {
  static constexpr std::array own = {&aggregate_app,    &invertedindex_app, &pageviewcount_app,
                                     &pageviewrank_app, &stringmatch_app,   &wordcount_app};
  static const std::vector<const app*> all = [] {
    std::vector<const app*> found = application_group::all();
    found.insert(found.end(), own.begin(), own.end());
    std::ranges::sort(found, {}, &app::name);
    return found;
  }();
  return all;
}

const app* find_app(std::string_view name) {
  const auto apps = all_apps();
  const auto found = std::ranges::find(apps, name, [](const app* candidate) { return candidate->name; });
  return found == apps.end() ? nullptr : *found;
}

}  // namespace duomap::apps
