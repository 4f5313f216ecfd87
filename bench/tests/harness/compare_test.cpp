// Tests which differences between two benchmark runs are reported as differences.
#include "bench/harness/compare.hpp"

#include "bench/tests/harness/support.hpp"
#include "tests/catch.hpp"

namespace duomap::test::bench_harness_compare_test {
namespace {

using apps::verdict;

verdict judged(std::vector<double> before, std::vector<double> now) {
  return judge(synthetic_row("duomap", std::move(before)), synthetic_row("duomap", std::move(now)));
}

}  // namespace

TEST_CASE("a difference is more than noise when the spreads part and the medians do", "[bench]") {
  CHECK(judged({10, 10.1, 9.9}, {5, 5.1, 4.9}) == verdict::faster);
  CHECK(judged({5, 5.1, 4.9}, {10, 10.1, 9.9}) == verdict::slower);
  CHECK(judged({10, 10, 10}, {9.69, 9.69, 9.69}) == verdict::faster);
  // The runs are equal, and then differ by 2 % without any spread.
  CHECK(judged({10, 10.1, 9.9}, {10, 10.1, 9.9}) == verdict::noise);
  CHECK(judged({10, 10, 10}, {9.8, 9.8, 9.8}) == verdict::noise);
  CHECK(judged({10, 10, 10}, {10.2, 10.2, 10.2}) == verdict::noise);
  // Medians differ by a fifth, and some runs before were as fast as those now.
  CHECK(judged({8, 8, 10, 10, 10, 10}, {8, 8, 8, 8, 8, 9}) == verdict::noise);
  CHECK(judged({8, 8, 8}, {7.5, 10, 10}) == verdict::noise);
}

TEST_CASE("the rule says nothing of what it cannot judge", "[bench]") {
  CHECK(judged({10, 10}, {5, 5, 5}) == verdict::too_few_runs);
  CHECK(judged({10, 10, 10}, {5}) == verdict::too_few_runs);
  CHECK(judged({}, {5, 5, 5}) == verdict::not_measured);
  CHECK(judged({5, 5, 5}, {}) == verdict::not_measured);
  auto before = synthetic_row("duomap", {10, 10, 10}), now = synthetic_row("duomap", {5, 5, 5});
  before.work = {1000, "B"};
  now.work = {500, "B"};
  CHECK(judge(before, now) == verdict::other_work);
}

TEST_CASE("rows of two runs are paired by what they are", "[bench]") {
  const apps::bench_run before =
      synthetic_run({synthetic_row("loop", {4, 4, 4}), synthetic_row("duomap", {2, 2, 2}),
                     synthetic_row("duomap", {1, 1, 1}, 2), synthetic_row("grep", {9, 9, 9})});
  apps::bench_run now =
      synthetic_run({synthetic_row("duomap", {1, 1, 1}, 2), synthetic_row("duomap", {1, 1, 1}),
                     synthetic_row("loop", {8, 8, 8}), synthetic_row("ripgrep", {3, 3, 3})});
  const apps::saved_comparison all = compare(before, now);
  REQUIRE(all.pairs.size() == 3);
  CHECK(all.pairs[0].ratio == 1);
  CHECK(all.pairs[0].found == verdict::noise);
  CHECK(all.pairs[1].ratio == 0.5);
  CHECK(all.pairs[1].found == verdict::faster);
  CHECK(all.pairs[2].ratio == 2);
  CHECK(all.pairs[2].found == verdict::slower);
  CHECK(all.only_before == std::vector<std::string>{"wordcount: a text, grep, cpu, 1 thread"});
  CHECK(all.only_now == std::vector<std::string>{"wordcount: a text, ripgrep, cpu, 1 thread"});
  CHECK(all.other_machine.empty());
  const std::string text = markdown_of(all);
  CHECK_THAT(text, contains("| 0.500 | **faster** |") && contains("| 2.000 | **slower** |"));
  CHECK_THAT(text, contains("within noise") && contains("3 %"));
  CHECK_THAT(text, contains("Only before: wordcount: a text, grep") &&
                       contains("Only now: wordcount: a text, ripgrep"));
  CHECK_THAT(text, !contains("Another machine"));

  // Rows of tables with different names are not compared.
  now.tables[0].name = "another";
  CHECK(compare(before, now).pairs.empty());
  CHECK_THAT(markdown_of(compare(before, now)), contains("no row in common"));
}

TEST_CASE("a comparison says that the machine is another one", "[bench]") {
  const apps::bench_run before = synthetic_run({synthetic_row("duomap", {2, 2, 2})});
  apps::bench_run now = before;
  now.machine.cores = 16;
  now.machine.gpus.clear();
  now.machine.vector_path.clear();  // not known: no difference
  const apps::saved_comparison all = compare(before, now);
  CHECK(all.other_machine ==
        std::vector<std::string>{"cores: 4 before, 16 now", "GPUs: A GPU, 8.00 GB before, none now"});
  CHECK_THAT(markdown_of(all), contains("Another machine: cores: 4 before, 16 now."));
}

}  // namespace duomap::test::bench_harness_compare_test
