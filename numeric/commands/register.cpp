// Makes the numeric applications known to the program that this file is compiled into.
#include "apps/cli/application_group.hpp"
#include "numeric/commands/applications.hpp"

#include <array>

namespace duomap::apps {
namespace {

constexpr std::array members = {&kmeans_app, &knn_app,        &matmul_app,      &naivebayes_app,
                                &pca_app,    &similarity_app, &svmclassify_app, &svmtrain_app};
const application_group numeric(members);

}  // namespace
}  // namespace duomap::apps
