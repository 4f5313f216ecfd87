// The applications of `duomap`.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <string_view>

namespace duomap::apps {

// Each of them is in NAME_app.cpp.
extern const app aggregate_app;
extern const app invertedindex_app;
extern const app kmeans_app;
extern const app knn_app;
extern const app matmul_app;
extern const app naivebayes_app;
extern const app pageviewcount_app;
extern const app pageviewrank_app;
extern const app pca_app;
extern const app similarity_app;
extern const app stringmatch_app;
extern const app svmclassify_app;
extern const app svmtrain_app;
extern const app wordcount_app;

/// All of them, sorted by name.
[[nodiscard]] applications all_apps();

/// The application of that name; nullptr when there is none.
[[nodiscard]] const app* find_app(std::string_view name);

}  // namespace duomap::apps
