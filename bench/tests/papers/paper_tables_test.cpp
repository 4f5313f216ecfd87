// Tests tables of published and measured results: no result is lost, and each stands in its place.
#include "bench/papers/paper_tables.hpp"

#include "bench/papers/chen_agrawal.hpp"
#include "bench/papers/mars.hpp"
#include "bench/papers/published.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace duomap::test::bench_papers_paper_tables_test {
namespace {

using apps::measured_experiment;
using apps::planned_experiment;
using apps::published_over;
using apps::published_result;

void check_plans(const std::vector<planned_experiment>& plans, std::span<const published_result> published) {
  std::set<std::string> names;
  std::set<std::string> quick;
  for (const planned_experiment& one : plans) {
    CHECK(names.insert(one.subject + ", " + one.size).second);
    if (one.quick) quick.insert(one.subject);
  }
  for (const planned_experiment& one : plans) CHECK(quick.count(one.subject) == 1);
  for (const published_result& one : published) {
    // The last planned size of a subject is the size that the paper names.
    const auto last = std::ranges::find_if(plans.rbegin(), plans.rend(),
                                           [&](const auto& plan) { return plan.subject == one.subject; });
    INFO(one.subject);
    REQUIRE(last != plans.rend());
    CHECK(last->size == one.size);
  }
}

measured_experiment synthetic(const std::string& size, double sequential, double on_cpu) {
  measured_experiment one{.subject = "adding", .size = size};
  const auto add = [&](const apps::program_on& which, std::vector<double> seconds) {
    apps::bench_row row;
    row.workload = "adding, " + size;
    row.program = which.name;
    row.device = which.device;
    row.not_measured = seconds.empty() ? "no GPU" : "";
    row.seconds = std::move(seconds);
    one.rows.push_back(row);
    one.reports.emplace_back();
  };
  add(apps::on::sequential, {sequential});
  add(apps::on::cpu, {sequential});  // one thread
  add(apps::on::cpu, {on_cpu});
  add(apps::on::gpu, {});
  return one;
}

}  // namespace

TEST_CASE("every published result has its experiment and every experiment a quick size", "[papers]") {
  check_plans(apps::experiments_of_mars(), apps::published_results_of_mars());
  check_plans(apps::experiments_of_chen_agrawal(), apps::published_results_of_chen_agrawal());
  const auto plans = apps::experiments_of_chen_agrawal();
  for (const apps::best_groups& one : apps::best_groups_of_chen_agrawal())
    CHECK(std::ranges::count(plans, one.subject, &planned_experiment::subject) == 3);
}

TEST_CASE("a published result stands beside what was measured of the largest size", "[papers]") {
  const std::array published = {
      published_result{"Figure 1", "adding", "9", published_over::sequential, 50, "about 50", "The reason."},
      published_result{"Figure 2", "adding", "9", published_over::other_system, 7, "7 over another",
                       "It is not here."}};
  const std::vector all = {synthetic("1", 8, 4), synthetic("2", 9, 2)};
  const apps::bench_table table = apps::table_beside_published(
      {"name", "Title", ""}, all, std::array{apps::on::sequential, apps::on::cpu, apps::on::gpu}, "a loop",
      published, published_over::sequential, "an old machine");
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rows[1].speed_up == Approx(2));
  CHECK(table.rows[4].speed_up == Approx(4.5));
  CHECK(table.rows[3].figures.empty());
  REQUIRE(table.rows[4].figures.size() == 1);
  CHECK(table.rows[4].figures[0].value == 50);
  CHECK(table.rows[5].not_measured == "no GPU");
  REQUIRE(table.notes.size() == 1);
  CHECK(
      table.notes[0] ==
      "Figure 1, adding: the paper says about 50 (9; an old machine). Here, with 2: 4.5 on the cpu (threads: "
      "1); on the gpu not measured. The reason.");
}

TEST_CASE("a result over another system stands beside what stands in for that", "[papers]") {
  using apps::equivalent_mode;
  const std::array published = {
      published_result{"Figure 1", "adding", "9", published_over::sequential, 50, "about 50", "The reason."},
      published_result{"Figure 2", "adding", "9", published_over::other_system, 7, "7 over another",
                       "It is not here."},
      published_result{"Figure 3", "adding", "9", published_over::other_system, 5, "5 over a table",
                       "So it is.", equivalent_mode::no_tables},
      published_result{"Figure 4", "adding", "9", published_over::other_system, 6, "6 over a sort",
                       "No sort.", equivalent_mode::sort_engine}};
  measured_experiment one = synthetic("9", 8, 4);
  one.rows.back().not_measured.clear();
  one.rows.back().seconds = {2};
  one.rows.push_back(one.rows.back());
  one.rows.back().program = apps::no_tables_program;
  one.rows.back().seconds = {6};
  const apps::bench_table table =
      apps::table_of_other_systems({"name", "Title", ""}, std::array{one}, published);
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[0].program == "Figure 2: 7 over another");
  CHECK(table.rows[0].not_measured == "It is not here.");
  CHECK(table.rows[0].seconds.empty());
  CHECK(table.rows[1].program == apps::no_tables_program);
  CHECK(table.rows[1].workload == "adding, 9 (Figure 3: 5 over a table)");
  CHECK(table.rows[2].program == "duomap");
  CHECK(table.rows[2].speed_up == Approx(3));
  REQUIRE(table.rows[2].figures.size() == 1);
  CHECK(table.rows[2].figures[0].value == 5);
  CHECK(table.rows[3].not_measured == "No sort.");
  CHECK(table.notes == std::vector<std::string>{"So it is."});
}

TEST_CASE("of one program with several numbers of threads the one with the most is meant", "[papers]") {
  const measured_experiment one = synthetic("1", 8, 4);
  CHECK(one.find(apps::on::cpu) == 2);
  CHECK_THROWS(one.find({"nobody", "cpu"}));
}

}  // namespace duomap::test::bench_papers_paper_tables_test
