#include "apps/registry.hpp"

#include "apps/aggregate/aggregate_app.hpp"
#include "apps/invertedindex/invertedindex_app.hpp"
#include "apps/kmeans/kmeans_app.hpp"
#include "apps/knn/knn_app.hpp"
#include "apps/matmul/matmul_app.hpp"
#include "apps/naivebayes/naivebayes_app.hpp"
#include "apps/pageviewcount/pageviewcount_app.hpp"
#include "apps/pageviewrank/pageviewrank_app.hpp"
#include "apps/pca/pca_app.hpp"
#include "apps/similarity/similarity_app.hpp"
#include "apps/stringmatch/stringmatch_app.hpp"
#include "apps/svmclassify/svmclassify_app.hpp"
#include "apps/svmtrain/svmtrain_app.hpp"
#include "apps/wordcount/wordcount_app.hpp"

#include <algorithm>
#include <array>

namespace duomap::apps {

// An explicit list and not registration by static objects: the linker drops objects of a library that nothing
// refers to, and what runs before main() costs every start of the program.
std::span<const app* const> all_apps() {
  static const std::array apps = {
      &aggregate_app(),   &invertedindex_app(), &kmeans_app(),       &knn_app(),      &matmul_app(),
      &naivebayes_app(),  &pageviewcount_app(), &pageviewrank_app(), &pca_app(),      &similarity_app(),
      &stringmatch_app(), &svmclassify_app(),   &svmtrain_app(),     &wordcount_app()};
  return apps;
}

const app* find_app(std::string_view name) {
  const auto apps = all_apps();
  const auto found = std::ranges::find(apps, name, [](const app* candidate) { return candidate->name; });
  return found == apps.end() ? nullptr : *found;
}

}  // namespace duomap::apps
