// Declares every benchmark; each is defined in the file that measures it.
// host only
#pragma once

#include "bench/harness/benchmark.hpp"

namespace duomap::apps {

extern const benchmark aggregate_benchmark, commands_benchmark, compressed_benchmark, dense_benchmark,
    gpus_benchmark, invertedindex_benchmark, kmeans_benchmark, knn_benchmark, loops_benchmark,
    matmul_benchmark, naivebayes_benchmark, pageviewcount_benchmark, pca_benchmark, scheduling_benchmark,
    similarity_benchmark, stringmatch_benchmark, svmtrain_benchmark, unseen_benchmark, wordcount_benchmark;

}  // namespace duomap::apps
