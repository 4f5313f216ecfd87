// The list of all benchmarks: an explicit one, because the linker drops objects of a library that nothing
// refers to.
#include "apps/bench/dense/dense_benchmark.hpp"
#include "apps/bench/harness/benchmark.hpp"
#include "apps/bench/scheduling/scheduling_benchmark.hpp"
#include "apps/bench/suites/aggregate_bench.hpp"
#include "apps/bench/suites/invertedindex_bench.hpp"
#include "apps/bench/suites/kmeans_bench.hpp"
#include "apps/bench/suites/knn_bench.hpp"
#include "apps/bench/suites/matmul_bench.hpp"
#include "apps/bench/suites/naivebayes_bench.hpp"
#include "apps/bench/suites/pageviewcount_bench.hpp"
#include "apps/bench/suites/pca_bench.hpp"
#include "apps/bench/suites/similarity_bench.hpp"
#include "apps/bench/suites/stringmatch_bench.hpp"
#include "apps/bench/suites/svmtrain_bench.hpp"
#include "apps/bench/suites/wordcount_bench.hpp"

#include <algorithm>
#include <array>

namespace duomap::apps {
namespace {

const benchmark aggregate{
    .name = "aggregate",
    .summary = "sums by key, against one loop, oneTBB and CUB",
    .add_options = add_aggregate_bench_options,
    .measure = bench_aggregate,
};

const benchmark invertedindex{
    .name = "invertedindex",
    .summary = "links of HTML pages, against one loop",
    .add_options = add_invertedindex_bench_options,
    .measure = bench_invertedindex,
};

const benchmark kmeans{
    .name = "kmeans",
    .summary = "clusters of points, against one loop and scikit-learn",
    .add_options = add_kmeans_bench_options,
    .measure = bench_kmeans,
};

const benchmark knn{
    .name = "knn",
    .summary = "nearest rows, against one loop and scikit-learn",
    .add_options = add_knn_bench_options,
    .measure = bench_knn,
};

const benchmark matmul{
    .name = "matmul",
    .summary = "products of matrices, against OpenBLAS and cuBLAS",
    .add_options = add_matmul_bench_options,
    .measure = bench_matmul,
};

const benchmark naivebayes{
    .name = "naivebayes",
    .summary = "classes of rows of categories, against one loop and scikit-learn",
    .add_options = add_naivebayes_bench_options,
    .measure = bench_naivebayes,
};

const benchmark pageviewcount{
    .name = "pageviewcount",
    .summary = "views of each page in a web log, against one loop, gawk and DuckDB",
    .add_options = add_pageviewcount_bench_options,
    .measure = bench_pageviewcount,
};

const benchmark pca{
    .name = "pca",
    .summary = "principal components, against OpenBLAS and scikit-learn",
    .add_options = add_pca_bench_options,
    .measure = bench_pca,
};

const benchmark similarity{
    .name = "similarity",
    .summary = "cosines of all pairs, against one loop",
    .add_options = add_similarity_bench_options,
    .measure = bench_similarity,
};

const benchmark stringmatch{
    .name = "stringmatch",
    .summary = "matches of patterns in a text, against one loop, ripgrep and grep",
    .add_options = add_stringmatch_bench_options,
    .measure = bench_stringmatch,
};

const benchmark svmtrain{
    .name = "svmtrain",
    .summary = "support vector machines, against svm-train and svm-predict",
    .add_options = add_svmtrain_bench_options,
    .measure = bench_svmtrain,
};

const benchmark wordcount{
    .name = "wordcount",
    .summary = "words of a text, against one loop and oneTBB",
    .add_options = add_wordcount_bench_options,
    .measure = bench_wordcount,
};

}  // namespace

std::span<const benchmark* const> all_benchmarks() {
  static const std::array benchmarks = {
      &aggregate,  &dense_benchmark(), &invertedindex, &kmeans,   &knn,
      &matmul,     &naivebayes,        &pageviewcount, &pca,      &scheduling_benchmark(),
      &similarity, &stringmatch,       &svmtrain,      &wordcount};
  return benchmarks;
}

const benchmark* find_benchmark(std::string_view name) {
  const auto benchmarks = all_benchmarks();
  const auto found =
      std::ranges::find(benchmarks, name, [](const benchmark* candidate) { return candidate->name; });
  return found == benchmarks.end() ? nullptr : *found;
}

}  // namespace duomap::apps
