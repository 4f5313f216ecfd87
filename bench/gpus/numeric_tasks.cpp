// Measures numeric applications on groups of GPUs.
#include "apps/report/quantity.hpp"
#include "bench/data/synthetic_rows.hpp"
#include "bench/gpus/gpus_machine.hpp"
#include "numeric/kmeans/kmeans.hpp"
#include "numeric/kmeans/kmeans_report.hpp"
#include "numeric/knn/knn.hpp"
#include "numeric/matmul/matmul.hpp"
#include "numeric/pca/centred_sums.hpp"
#include "numeric/similarity/similarity.hpp"
#include "numeric/svm/svm.hpp"

#include <bit>
#include <cmath>
#include <span>

namespace duomap::apps {
namespace {

/// Adds a hash of each row to a digest.
answer_digest digest_of_rows(const matrix<float>& rows, worker_pool& pool) {
  std::vector<std::uint64_t> hashes(rows.rows());
  pool.for_each_index(rows.rows(), [&](std::uint64_t i) {
    for (const float x : rows.row(i))
      hashes[i] = (hashes[i] ^ std::bit_cast<std::uint32_t>(x)) * 0x100000001B3u;
  });
  answer_digest answer;
  for (const std::uint64_t hash : hashes)
    answer.add(reinterpret_cast<const char*>(&hash), sizeof hash, answer.rows);
  return answer;
}

/// A model whose decision values are near 0, because each class has half of the support vectors.
svm_model synthetic_model(std::uint64_t support_vectors, std::uint64_t columns) {
  const matrix<float> rows = synthetic_rows(support_vectors, columns, 2);
  svm_model model;
  model.kernel.gamma = 1.0 / static_cast<double>(columns);
  model.classes = {1, -1};
  model.rho = {0.01};
  model.rows_of_class = {support_vectors / 2, support_vectors - support_vectors / 2};
  model.rows.columns = columns;
  for (std::uint64_t r = 0; r < support_vectors; ++r) {
    for (std::uint64_t column = 0; column < columns; ++column) {
      model.rows.column_of.push_back(static_cast<std::uint32_t>(column));
      model.rows.values.push_back(rows.row(r)[column]);
    }
    model.rows.row_start.push_back(model.rows.values.size());
    model.coefficients.push_back(r < support_vectors / 2 ? 1 : -1);
  }
  return model;
}

}  // namespace

void measure_products(gpus_machine& on, bench_table& table) {
  for (const std::uint64_t usual : {std::uint64_t{8192}, std::uint64_t{16'384}}) {
    const std::uint64_t n = on.context.size(usual);
    // Whole numbers make the product independent of the order of additions.
    const auto left = synthetic_whole_numbers(n, n, 1);
    const auto right = synthetic_whole_numbers(n, n, 2);
    matrix<float> product(n, n, "the product");
    const double size = static_cast<double>(n);
    compare_gpus(
        on, "matrix product, n " + count_text(usual), {2 * size * size * size, "FLOP"},
        source_memory::ordinary_memory,
        [&](const run_options& job, timed_run& into) {
          const stopwatch clock;
          matmul(left.view(), right.view(), std::span<float>(product.data(), n * n), {.run = job});
          into.seconds = clock.seconds();
          return digest_of_rows(product, on.pool);
        },
        table);
  }
}

void measure_neighbours(gpus_machine& on, bench_table& table) {
  const std::uint64_t rows = on.context.size(1'000'000);
  const auto training = synthetic_rows(rows, 128, 1);
  const auto queries = synthetic_rows(20'000, 128, 2);
  compare_gpus(
      on, "nearest rows, 20,000 queries of 128 numbers, k 10",
      {static_cast<double>(rows) * 20'000, "distances"}, source_memory::ordinary_memory,
      [&](const run_options& job, timed_run& into) {
        const stopwatch clock;
        const knn_result found = knn(training.view(), queries.view(), {.k = 10, .run = job});
        into.seconds = clock.seconds();
        answer_digest answer;
        for (const neighbour& one : found.neighbours)
          answer.add(reinterpret_cast<const char*>(&one.score), sizeof one.score, one.index);
        return answer;
      },
      table);
}

void measure_similar(gpus_machine& on, bench_table& table) {
  const std::uint64_t rows = on.context.size(200'000);
  const auto vectors = synthetic_vectors(rows, 256, 1);
  rounded_answer answer("similarity");
  compare_gpus(
      on, "similar vectors of 256 numbers, best 10",
      {static_cast<double>(rows) * static_cast<double>(rows), "cosines"}, source_memory::ordinary_memory,
      [&](const run_options& job, timed_run& into) {
        const stopwatch clock;
        const auto pairs = similarity(vectors.view(), {.top = 10, .run = job});
        into.seconds = clock.seconds();
        double sum = 0;
        for (const similar_pair& one : pairs) sum += static_cast<double>(one.cosine);
        return answer.of(sum, static_cast<double>(pairs.size()), pairs.size());
      },
      table);
}

void measure_kmeans(gpus_machine& on, bench_table& table) {
  const auto points = synthetic_rows(on.context.size(25'165'824), 32, 1);
  const std::uint64_t bytes = points.view().bytes().size;
  compare_gpus(
      on, "k-means, 20 steps, 32 numbers, k 40, ordinary memory", {static_cast<double>(bytes), "B"},
      source_memory::ordinary_memory,
      [&](const run_options& job, timed_run& into) {
        const kmeans_options options{.clusters = 40, .max_iterations = 20, .tolerance = 0, .run = job};
        const stopwatch clock;
        const kmeans_result found = kmeans(points.view(), options, on.pool);
        into.seconds = clock.seconds();
        into.report = kmeans_report(found, bytes, on.pool.workers());
        answer_digest answer;
        answer.add(found.centers.view().bytes().data, found.centers.view().bytes().size, found.iterations);
        return answer;
      },
      table);
}

void measure_covariance(gpus_machine& on, bench_table& table) {
  const auto rows = synthetic_rows(on.context.size(8'000'000), 96, 1);
  rounded_answer answer("the covariance");
  compare_gpus(
      on, "covariance of 96 columns, ordinary memory", {static_cast<double>(rows.view().bytes().size), "B"},
      source_memory::ordinary_memory,
      [&](const run_options& job, timed_run& into) {
        const stopwatch clock;
        const centred_sums found = centred_sums_of(rows.view(), "the rows", false, on.pool, job);
        into.seconds = clock.seconds();
        double sum = 0;
        for (const double product : found.products.view().values()) sum += std::abs(product);
        return answer.of(sum, sum, found.rows);
      },
      table);
}

void measure_classification(gpus_machine& on, bench_table& table) {
  constexpr std::uint64_t columns = 128;
  const svm_model model = synthetic_model(on.context.size(12'000), columns);
  const auto rows = synthetic_rows(on.context.size(1'000'000), columns, 1);
  rounded_answer answer("the classification");
  compare_gpus(
      on, "classified rows of 128 numbers, " + count_text(model.rows.rows(), "support vector"),
      {static_cast<double>(rows.rows()), "rows"}, source_memory::ordinary_memory,
      [&](const run_options& job, timed_run& into) {
        const stopwatch clock;
        const svm_answer found = svmclassify(model, rows_of(rows.view()), job);
        into.seconds = clock.seconds();
        double sum = 0;
        for (const double value : found.values) sum += std::abs(value);
        return answer.of(sum, sum, found.labels.size());
      },
      table);
}

}  // namespace duomap::apps
