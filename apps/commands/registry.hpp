// The applications of `duomap`.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <string_view>

namespace duomap::apps {

// Each of them is in NAME_app.cpp.
[[nodiscard]] const app& aggregate_app();
[[nodiscard]] const app& invertedindex_app();
[[nodiscard]] const app& kmeans_app();
[[nodiscard]] const app& knn_app();
[[nodiscard]] const app& matmul_app();
[[nodiscard]] const app& naivebayes_app();
[[nodiscard]] const app& pageviewcount_app();
[[nodiscard]] const app& pageviewrank_app();
[[nodiscard]] const app& pca_app();
[[nodiscard]] const app& similarity_app();
[[nodiscard]] const app& stringmatch_app();
[[nodiscard]] const app& svmclassify_app();
[[nodiscard]] const app& svmtrain_app();
[[nodiscard]] const app& wordcount_app();

/// All of them, sorted by name.
[[nodiscard]] applications all_apps();

/// The application of that name; nullptr when there is none.
[[nodiscard]] const app* find_app(std::string_view name);

}  // namespace duomap::apps
