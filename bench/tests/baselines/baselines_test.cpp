// Tests bench/baselines: the plain programs give the right answers, also where a slice ends. Synthetic data
// have the properties that their headers promise.
#include "bench/baselines/add_products.hpp"
#include "bench/baselines/compare_vectors.hpp"
#include "bench/baselines/count_categories.hpp"
#include "bench/baselines/count_pages.hpp"
#include "bench/baselines/find_nearest.hpp"
#include "bench/baselines/find_pattern.hpp"
#include "bench/baselines/list_links.hpp"
#include "bench/baselines/multiply_matrices.hpp"
#include "bench/baselines/smo_loop.hpp"
#include "bench/data/synthetic_categories.hpp"
#include "bench/data/synthetic_log.hpp"
#include "bench/data/synthetic_pages.hpp"
#include "numeric/tests/kmeans/plain_step.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::bench_baselines_baselines_test {
namespace {

matrix<float> matrix_of(std::uint64_t columns, const std::vector<float>& values) {
  matrix<float> made(values.size() / columns, columns);
  std::ranges::copy(values, made.data());
  return made;
}

}  // namespace

TEST_CASE("the plain search finds overlapping matches and their lines", "[papers]") {
  const std::string_view text = "ababa\naba\n\naba";
  CHECK(apps::find_pattern_in_one_loop(text, "aba") ==
        std::vector<apps::pattern_place>{{0, 1}, {2, 1}, {6, 2}, {11, 4}});
  CHECK(apps::find_pattern_in_one_loop("", "aba").empty());
}

TEST_CASE("plain programs with threads agree with one loop across slices", "[papers][plain-tbb]") {
  // Slices have 1 MB, so 2.5 MB make three slices, which end within lines.
  const std::string pages = apps::synthetic_pages(2'500'000, 100, seed());
  CHECK(apps::find_pattern_with_tbb(pages, "dilame", 2) == apps::find_pattern_in_one_loop(pages, "dilame"));
  CHECK(apps::find_pattern_in_one_loop(pages, "dilame").size() > 10);
  const std::string log = apps::synthetic_log(2'500'000, 5000, seed());
  CHECK(apps::count_clients_with_tbb(log, 2) == apps::count_clients_in_one_loop(log));
  const std::string table = apps::synthetic_categories(2'500'000, seed());
  const apps::category_table columns = apps::class_in_last_of(6, ',');
  CHECK(apps::count_categories_with_tbb(table, columns, 2) ==
        apps::count_categories_in_one_loop(table, columns));
}

TEST_CASE("the plain page count counts clients and ranks pages", "[papers]") {
  const std::string_view log =
      "1.1.1.1 - - [t] \"GET /b HTTP/1.1\" 200 1\n2.2.2.2 - - [t] \"GET /b HTTP/1.1\" 200 1\n"
      "1.1.1.1 - - [t] \"GET /b HTTP/1.1\" 200 1\n1.1.1.1 - - [t] \"GET /a HTTP/1.1\" 200 1\n"
      "1.1.1.1 - - [t] \"GET /c HTTP/1.1\" 200 1";
  const apps::page_counts counts = apps::count_clients_in_one_loop(log);
  CHECK(counts == apps::page_counts{{"/a", 1}, {"/b", 2}, {"/c", 1}});
  using ranking = std::vector<std::pair<std::string_view, std::uint64_t>>;
  CHECK(apps::rank_pages(counts, 2) == ranking{{"/b", 2}, {"/a", 1}});
  CHECK(apps::rank_pages(counts, 10).size() == 3);
}

TEST_CASE("the plain list of links has every place of a target", "[papers]") {
  const apps::link_lists links =
      apps::list_links_in_one_loop("<a href=\"x\">1</a><a href=\"y\">2</a> <a href=\"x\">");
  CHECK(links == apps::link_lists{{"x", {0, 35}}, {"y", {17}}});
}

TEST_CASE("the plain count of categories goes by class", "[papers]") {
  const apps::category_rows counts =
      apps::count_categories_in_one_loop("a,b,yes\na, c,no\n\na,b,yes\n", apps::class_in_last_of(3, ','));
  CHECK(counts == apps::category_rows{{"0 yes a", 2}, {"1 yes b", 2}, {"0 no a", 1}, {"1 no c", 1}});
  CHECK(apps::count_categories_in_one_loop("yes\ta\tb\n", {3, '\t', 0, {2}}) ==
        apps::category_rows{{"2 yes b", 1}});
}

TEST_CASE("plain numeric programs are right on a few rows", "[papers][plain-tbb]") {
  const matrix<float> left = matrix_of(2, {1, 2, 3, 4}), right = matrix_of(2, {5, 6, 7, 8});
  for (const matrix<float>& product : {apps::multiply_in_loops(left.view(), right.view()),
                                       apps::multiply_with_tbb(left.view(), right.view(), 2)}) {
    CHECK(std::vector<float>(product.data(), product.data() + 4) == std::vector<float>{19, 22, 43, 50});
  }
  const auto pairs = apps::compare_vectors_in_one_loop(matrix_of(2, {3, 0, 3, 4, 0, 0}).view());
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[0] == similar_pair{0, 1, 0.6f});
  CHECK(pairs[1] == similar_pair{0, 2, 0});
  const matrix<double> products = apps::add_products_in_loops(matrix_of(2, {1, 2, 3, 6}).view());
  CHECK(std::vector<double>(products.data(), products.data() + 4) == std::vector<double>{2, 4, 4, 8});
  const matrix<float> line = matrix_of(1, {9, 1, 5, 3, 3});
  CHECK(apps::find_nearest_in_one_loop(line.view(), std::vector<float>{4}, 3) ==
        std::vector<std::uint64_t>{2, 3, 4});
}

TEST_CASE("plain k-means moves centres to the means of their points", "[papers]") {
  matrix<double> centres(2, 1);
  centres.data()[1] = 4;
  const auto found = apps::lloyd_in_loops(matrix_of(1, {0, 2, 9, 11}).view(), centres.view(), 5);
  CHECK(found.centres.data()[0] == 1);
  CHECK(found.centres.data()[1] == 10);
  CHECK(found.sizes == std::vector<std::uint64_t>{2, 2});
}

TEST_CASE("the plain trainer of support vector machines finds the middle between two points", "[papers]") {
  const matrix<float> points = matrix_of(1, {0, 2});
  const std::vector<double> labels = {-1, 1};
  const auto found =
      apps::train_in_loops({.rows = points.view(), .labels = labels, .gamma = 1, .c = 10, .epsilon = 1e-9});
  // The optimum of both multipliers is a = 1 / (1 - K), where K = exp(-4).
  const double expected = 1 / (1 - std::exp(-4.0));
  CHECK(found.multipliers[0] == Approx(expected));
  CHECK(found.multipliers[1] == Approx(expected));
  CHECK(found.rho == Approx(0).margin(1e-9));
  CHECK(found.objective == Approx(-expected));
  const std::vector<double> coefficients = {-found.multipliers[0], found.multipliers[1]};
  const auto values =
      apps::decide_in_loops(matrix_of(1, {0, 1, 2}).view(), points.view(), coefficients, 1, 0);
  CHECK(values[0] == Approx(-1));
  CHECK(values[1] == Approx(0).margin(1e-9));
  CHECK(values[2] == Approx(1));
}

TEST_CASE("synthetic data is what it says and the same for the same seed", "[papers]") {
  const std::string log = apps::synthetic_log(500'000, 103, 7);
  CHECK(log.size() >= 500'000);
  CHECK(log == apps::synthetic_log(500'000, 103, 7));
  CHECK(log != apps::synthetic_log(500'000, 103, 8));
  std::uint64_t visits = 0;
  for (const auto& [page, clients] : apps::count_clients_in_one_loop(log)) visits += clients;
  CHECK(visits == 103);

  const std::string pages = apps::synthetic_pages(100'000, 50, 7);
  CHECK(pages == apps::synthetic_pages(100'000, 50, 7));
  CHECK(apps::list_links_in_one_loop(pages).size() == 50);

  CHECK(apps::count_categories_in_one_loop(apps::synthetic_categories(10'000, 7),
                                           apps::class_in_last_of(6, ','))
            .size() == 30);
}

}  // namespace duomap::test::bench_baselines_baselines_test
