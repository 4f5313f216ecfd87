// Makes the experiments on k-means, nearest neighbours and naive Bayes.
#include "bench/baselines/count_categories.hpp"
#include "bench/baselines/find_nearest.hpp"
#include "bench/data/synthetic_categories.hpp"
#include "bench/papers/experiments.hpp"
#include "bench/papers/matrix_problem.hpp"
#include "bench/papers/text_problem.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "numeric/kmeans/kmeans.hpp"
#include "numeric/knn/knn.hpp"
#include "numeric/naivebayes/naivebayes.hpp"
#include "numeric/tests/kmeans/plain_step.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t dimensions = 3;
constexpr std::uint32_t iterations = 10;
constexpr std::uint32_t neighbours = 20;

/// The parts of a k-means answer that are compared.
struct clusters_found {
  std::vector<double> centres;
  std::vector<std::uint64_t> sizes;
};

clusters_found found_of(const matrix<double>& centres, const std::vector<std::uint64_t>& sizes) {
  return {{centres.data(), centres.data() + centres.rows() * centres.columns()}, sizes};
}

bool same_clusters(const clusters_found& found, const clusters_found& expected) {
  constexpr double near = 1e-3;
  std::uint64_t points = 0, moved = 0;
  bool same = found.sizes.size() == expected.sizes.size() && found.centres.size() == expected.centres.size();
  for (std::size_t i = 0; same && i < found.sizes.size(); ++i) {
    points += expected.sizes[i];
    moved += std::max(found.sizes[i], expected.sizes[i]) - std::min(found.sizes[i], expected.sizes[i]);
  }
  for (std::size_t i = 0; same && i < found.centres.size(); ++i)
    same = std::abs(found.centres[i] - expected.centres[i]) <= near;
  return same && moved <= 2 * points / 10'000;
}

struct kmeans_problem : matrix_problem<clusters_found> {
  matrix<double> centres;

  kmeans_problem(std::uint64_t points, std::uint32_t clusters)
    : matrix_problem(points, dimensions, seed), centres(clusters, dimensions, "the first centres") {
    for (std::uint64_t c = 0; c < clusters; ++c)
      std::ranges::copy(rows.row(c * (points / clusters)), centres.row(c).begin());
  }
};

bool same_model(const naivebayes_training& found, const category_rows& expected) {
  const naivebayes_model& model = found.model;
  std::size_t keys = 0;
  bool same = true;
  const std::size_t classes = model.classes.size();
  for (const naivebayes_attribute& attribute : model.attributes) {
    for (std::size_t i = 0; i < attribute.rows.size(); ++i) {
      if (attribute.rows[i] == 0) continue;
      const auto known = expected.find(
          category_key(attribute.column, model.classes[i % classes], attribute.categories[i / classes]));
      same = same && known != expected.end() && known->second == attribute.rows[i];
      ++keys;
    }
  }
  return same && keys == expected.size();
}

}  // namespace

experiment kmeans_experiment(std::uint64_t points, std::uint32_t clusters) {
  const auto of = std::make_shared<kmeans_problem>(points, clusters);
  experiment all{.work_unit = "points", .work = static_cast<double>(points) * iterations};
  add_baseline(
      all, of,
      [](const kmeans_problem& from, unsigned /*threads*/) {
        const lloyd_clusters found = lloyd_in_loops(from.rows.view(), from.centres.view(), iterations);
        return found_of(found.centres, found.sizes);
      },
      same_clusters);
  add_duomap(
      all, of,
      [clusters](const kmeans_problem& from, const run_options& how) {
        const auto pool = cpu::machine_pool(how.threads, view_input(from.rows.view().bytes()));
        kmeans_result found = kmeans(from.rows.view(),
                                     {.clusters = clusters,
                                      .start = kmeans_start::given,
                                      .initial = from.centres.view(),
                                      .max_iterations = iterations,
                                      .tolerance = 0,
                                      .run = {.device = how.device}},
                                     *pool);
        // The tables show only this number of the job's report.
        how.report->map_seconds = found.report.seconds;
        return found;
      },
      [](const kmeans_result& found, const clusters_found& expected) {
        return same_clusters(found_of(found.centers, found.sizes), expected);
      });
  return all;
}

experiment knn_experiment(std::uint64_t points) {
  using answer = std::vector<std::uint64_t>;
  const auto of = std::make_shared<matrix_problem<answer>>(points, dimensions, seed);
  const auto query = std::make_shared<const matrix<float>>(synthetic_rows(1, dimensions, seed + 1));
  experiment all{.work_unit = "points", .work = static_cast<double>(points)};
  add_baseline(all, of, [query](const auto& from, unsigned /*threads*/) {
    return find_nearest_in_one_loop(from.rows.view(), query->row(0), neighbours);
  });
  add_duomap(
      all, of,
      [query](const auto& from, const run_options& how) {
        return knn(from.rows.view(), query->view(), {.k = neighbours, .run = how});
      },
      [](const knn_result& found, const answer& expected) {
        return std::ranges::equal(found.neighbours, expected, {}, &neighbour::index);
      });
  return all;
}

experiment naivebayes_experiment(std::uint64_t bytes) {
  const auto of = std::make_shared<text_problem<category_rows>>(synthetic_categories(bytes, seed));
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_baseline(all, of, [](const auto& table, unsigned /*threads*/) {
    return count_categories_in_one_loop(table.bytes(), class_in_last_of(columns_of_thirty_keys, ','));
  });
  add_baseline(all, of, [](const auto& table, unsigned threads) {
    return count_categories_with_tbb(table.bytes(), class_in_last_of(columns_of_thirty_keys, ','), threads);
  });
  add_duomap(
      all, of,
      [](const auto& table, const run_options& how) {
        return naivebayes_train(table.text, *cpu::machine_pool(how.threads, table.text), {}, how);
      },
      same_model, compared_engines::tables);
  return all;
}

}  // namespace duomap::apps
