// Tests benchmark tables as Markdown and as parts of pages.
#include "bench/harness/bench_markdown.hpp"

#include "bench/harness/bench_documents.hpp"
#include "bench/tests/harness/support.hpp"
#include "tests/catch.hpp"

namespace duomap::test::bench_harness_bench_markdown_test {

TEST_CASE("rates as benchmarks write them", "[bench]") {
  CHECK(apps::work_rate_text({420e6, "B"}, 0.4) == "1.05 GB/s");
  CHECK(apps::work_rate_text({2e12, "FLOP"}, 0.5) == "4.00 TFLOP/s");
  CHECK(apps::work_rate_text({45.6e6, "points"}, 1) == "45.6 million points/s");
  CHECK(apps::work_rate_text({12, "points"}, 1) == "12.0 points/s");
  CHECK(apps::work_rate_text({}, 1).empty());
}

TEST_CASE("a benchmark table leaves out what it has nothing to say of", "[bench]") {
  apps::bench_row loop = synthetic_row("std::unordered_map loop", {0.4, 0.4, 0.5}),
                  duomap = synthetic_row("duomap", {0.1, 0.1, 0.1});
  loop.work = duomap.work = {420e6, "B"};
  loop.checked = duomap.checked = true;
  duomap.speed_up = 4;
  duomap.figures = {{"per thread", 2, "x"}};
  apps::bench_row absent = synthetic_row("a | b", {});
  absent.not_measured = "not installed";
  const apps::bench_run run = synthetic_run({loop, duomap, absent});
  const std::string text = markdown_of(run);
  CHECK_THAT(text, contains("Word count. a text. Medians of 3 runs; all answers compared and equal.\n\n"));
  CHECK_THAT(text, contains("| program | threads | time | p10 to p90 | rate | over the loop | per thread |\n"
                            "|---|---:|---:|---:|---:|---:|---:|\n"));
  CHECK_THAT(text, contains("| duomap | 1 | 100 ms | 100 ms to 100 ms | 4.20 GB/s | 4.00x | 2.00x |\n"));
  CHECK_THAT(text, contains("| a \\| b | 1 | not measured: not installed |  |  |  |  |\n"));
  CHECK_THAT(text, contains("A processor, 4 cores, vector path avx2, 16.0 GB; A GPU, 8.00 GB") &&
                       contains("commit 1234abc"));
}

TEST_CASE("many rows that could not be measured for one reason are a sentence", "[bench]") {
  apps::bench_row absent = synthetic_row("duomap", {});
  absent.device = "gpu";
  absent.not_measured = "no GPU";
  apps::bench_row other = absent;
  other.program = "another";
  const std::vector few = {synthetic_row("loop", {1}), absent, other};
  const std::string shown = markdown_of(synthetic_run(few));
  CHECK_THAT(shown, contains("| another | gpu | 1 | not measured: no GPU |"));
  CHECK_THAT(shown, !contains("Not measured, in"));
  std::vector many = few;
  many.push_back(absent);
  const std::string told = markdown_of(synthetic_run(many));
  CHECK_THAT(told, !contains("| another |"));
  CHECK_THAT(told, contains("Not measured, in 3 rows: no GPU (duomap on the gpu; another on the gpu).\n"));
  // A row that was not measured stays in the table if it shows a paper's figure.
  many.back().figures = {{"in the paper", 4, "x"}};
  CHECK_THAT(markdown_of(synthetic_run(many)), contains("| 4.00x |") && contains("| another |"));
  // If all rows were not measured, the table shows them.
  CHECK_THAT(markdown_of(synthetic_run({absent, absent, absent})), contains("| duomap |"));
}

TEST_CASE("a benchmark table does not claim what was not checked", "[bench]") {
  apps::bench_row one = synthetic_row("duomap", {1}), other = synthetic_row("scikit-learn", {1, 2});
  CHECK_THAT(markdown_of(synthetic_run({one})), contains("One run each; answers were not compared."));
  one.checked = true;
  const std::string text = markdown_of(synthetic_run({one, other}));
  CHECK_THAT(
      text,
      contains("Medians of 1 to 2 runs; 1 of 2 answers compared, and equal. Not compared: scikit-learn."));
  other.seconds.clear();
  other.not_measured = "no GPU";
  CHECK_THAT(markdown_of(synthetic_run({other})), contains("Nothing was measured."));
}

TEST_CASE("parts of pages have every row of a saved run, and are the same every time", "[bench]") {
  apps::bench_run run =
      synthetic_run({synthetic_row("first", {4, 4, 4}), synthetic_row("second & last", {1, 1, 1})});
  set_speed_ups(run.tables[0]);
  run.tables.push_back({.name = "other",
                        .title = "Other",
                        .rows = {synthetic_row("third", {2})},
                        .plot = apps::bench_plot::none});
  run.ended_early = "a cable";
  const std::vector<apps::saved_run> saved = {{"one", run}, {"two x", run}};
  const auto files = documents_of(saved);
  REQUIRE(files.size() == 6);
  CHECK(files[0].path == "one-1-wordcount.md");
  CHECK(files[1].path == "one-1-wordcount.svg");
  CHECK(files[2].path == "one-2-other.md");
  CHECK(files[4].path == "two-x-1-wordcount.svg");
  for (const std::string part : {"Word count. ", "| first |", "| second & last |", "A processor, 4 cores",
                                 "duomap bench wordcount 'a text'", "ended early: a cable"})
    CHECK_THAT(files[0].text, contains(part));
  CHECK_THAT(files[2].text, contains("| third |"));
  const auto again = documents_of(saved);
  REQUIRE(again.size() == files.size());
  for (std::size_t i = 0; i < files.size(); ++i) CHECK(again[i].text == files[i].text);
}

}  // namespace duomap::test::bench_harness_bench_markdown_test
