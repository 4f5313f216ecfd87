// Declares the numeric applications of `duomap`.
// host only
#pragma once

#include "apps/cli/app.hpp"

namespace duomap::apps {

// Each application is defined in a file NAME_app.cpp.
extern const app kmeans_app;
extern const app knn_app;
extern const app matmul_app;
extern const app naivebayes_app;
extern const app pca_app;
extern const app similarity_app;
extern const app svmclassify_app;
extern const app svmtrain_app;

}  // namespace duomap::apps
