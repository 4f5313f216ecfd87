#include "apps/commands/registry.hpp"

#include <algorithm>
#include <array>

namespace duomap::apps {

// An explicit list and not registration by static objects: the linker drops objects of a library that nothing
// refers to, and what runs before main() costs every start of the program.
applications all_apps() {
  static constexpr std::array apps = {
      &aggregate_app,   &invertedindex_app, &kmeans_app,       &knn_app,      &matmul_app,
      &naivebayes_app,  &pageviewcount_app, &pageviewrank_app, &pca_app,      &similarity_app,
      &stringmatch_app, &svmclassify_app,   &svmtrain_app,     &wordcount_app};
  return apps;
}

const app* find_app(std::string_view name) {
  const auto apps = all_apps();
  const auto found = std::ranges::find(apps, name, [](const app* candidate) { return candidate->name; });
  return found == apps.end() ? nullptr : *found;
}

}  // namespace duomap::apps
