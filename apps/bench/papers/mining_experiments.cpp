#include "apps/bench/papers/mining_experiments.hpp"

#include "apps/algorithms/kmeans/kmeans.hpp"
#include "apps/algorithms/knn/knn.hpp"
#include "apps/algorithms/naivebayes/naivebayes.hpp"
#include "apps/bench/baselines/count_categories.hpp"
#include "apps/bench/baselines/find_nearest.hpp"
#include "apps/bench/baselines/lloyd_loop.hpp"
#include "apps/bench/data/made_up_categories.hpp"
#include "apps/bench/papers/matrix_problem.hpp"
#include "apps/bench/papers/text_problem.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t dimensions = 3;
constexpr std::uint32_t iterations = 10;
constexpr std::uint32_t neighbours = 20;

/// What two programs for k-means are compared by.
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

bool same_model(const naive_bayes_model& model, const category_rows& expected) {
  std::size_t keys = 0;
  bool same = true;
  const std::size_t classes = model.classes.size();
  for (const naive_bayes_attribute& attribute : model.attributes) {
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
  add_compared_baseline(
      all, of, "sequential", 1,
      [](const kmeans_problem& from) {
        const lloyd_clusters found = lloyd_in_loops(from.rows.view(), from.centres.view(), iterations);
        return found_of(found.centres, found.sizes);
      },
      same_clusters);
  add_duomap(
      all,
      [of, clusters](const job_options& how) {
        const auto pool = cpu::machine_pool(how.threads, view_input(of->rows.view().bytes()));
        kmeans_result found = kmeans(of->rows.view(),
                                     {.clusters = clusters,
                                      .start = kmeans_start::given,
                                      .initial = of->centres.view(),
                                      .max_iterations = iterations,
                                      .tolerance = 0,
                                      .device = how.device},
                                     *pool);
        // What of the job's report is shown.
        how.report->map_seconds = found.report.seconds;
        return found;
      },
      [of](const kmeans_result& found) {
        return same_clusters(found_of(found.centres, found.sizes), *of->expected);
      });
  return all;
}

experiment knn_experiment(std::uint64_t points) {
  using answer = std::vector<std::uint64_t>;
  const auto of = std::make_shared<matrix_problem<answer>>(points, dimensions, seed);
  const auto query = std::make_shared<const matrix<float>>(made_up_rows(1, dimensions, seed + 1));
  experiment all{.work_unit = "points", .work = static_cast<double>(points)};
  add_compared_baseline(all, of, "sequential", 1, [query](const auto& from) {
    return find_nearest_in_one_loop(from.rows.view(), query->row(0), neighbours);
  });
  add_duomap(
      all,
      [of, query](const job_options& how) {
        return knn(of->rows.view(), query->view(), {.k = neighbours, .job = how});
      },
      [of](const knn_result& found) {
        return std::ranges::equal(found.neighbours, *of->expected, {}, &neighbour::index);
      });
  return all;
}

experiment naivebayes_experiment(std::uint64_t bytes) {
  const auto of = std::make_shared<text_problem<category_rows>>(made_up_categories(bytes, seed));
  const unsigned cores = cpu::usable_cores().cores;
  experiment all{.file = of->file.path(), .work = static_cast<double>(of->bytes().size())};
  add_compared_baseline(all, of, "sequential", 1, [](const auto& table) {
    return count_categories_in_one_loop(table.bytes(), columns_of_thirty_keys, ',');
  });
  add_compared_baseline(all, of, "plain oneTBB", cores, [cores](const auto& table) {
    return count_categories_with_tbb(table.bytes(), columns_of_thirty_keys, ',', cores);
  });
  add_duomap(
      all,
      [of](const job_options& how) {
        return naive_bayes_train(of->text, *cpu::machine_pool(how.threads, of->text), {}, how);
      },
      [of](const naive_bayes_training& found) { return same_model(found.model, *of->expected); },
      other_engines::tables);
  return all;
}

}  // namespace duomap::apps
