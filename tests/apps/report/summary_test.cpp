// Tests that the summary for people and the summary for programs agree.
#include "apps/report/summary.hpp"

#include "core/version.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace duomap::apps::apps_report_summary_test {
namespace {

run_summary example() {
  run_summary summary;
  summary.report.task = "wordcount";
  summary.report.sources = 2;
  summary.report.units = 3'000'000'000;
  summary.report.results = 65'432;
  summary.report.map_seconds = 1.25;
  summary.report.merge_seconds = 0.05;
  summary.report.executors = {{"cpu", 2, 30, 1'000'000'000, 2.0},
                              {"gpu 0: NVIDIA H200", 1, 60, 2'000'000'000, 1.25}};
  summary.report.notes = {"no GPU used: built without CUDA"};
  summary.wall_seconds = 1.5;
  summary.memory = {.peak_resident = 3'100'000'000, .anonymous = 45'600'000};
  return summary;
}

}  // namespace

TEST_CASE("a summary for people", "[apps]") {
  CHECK(summary_lines(example()) ==
        std::vector<std::string>{
            "wordcount: 65,432 results from 3.00 GB in 2 sources, 1.50 s, 2.00 GB/s",
            "cpu: 33 % of the input, 2 workers 80 % busy",
            "gpu 0: NVIDIA H200: 67 % of the input, 1 worker 100 % busy",
            "map 1.25 s, merge 50.0 ms; peak memory 3.10 GB, 45.6 MB without mapped files",
            "no GPU used: built without CUDA",
        });
}

TEST_CASE("a summary for programs", "[apps]") {
  const std::string text = summary_json(example());
  REQUIRE(text.ends_with("}\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  const nlohmann::json object = nlohmann::json::parse(text);
  CHECK(object["duomap"] == version);
  CHECK(object["task"] == "wordcount");
  CHECK(object["sources"] == 2);
  CHECK(object["units"] == 3'000'000'000);
  CHECK(object["results"] == 65'432);
  CHECK(object["wall_seconds"] == 1.5);
  CHECK(object["units_per_second"] == 2e9);
  CHECK(object["map_seconds"] == 1.25);
  CHECK(object["merge_seconds"] == 0.05);
  CHECK(object["peak_resident_bytes"] == 3'100'000'000);
  CHECK(object["peak_anonymous_bytes"] == 45'600'000);
  REQUIRE(object["executors"].size() == 2);
  CHECK(object["executors"][1]["name"] == "gpu 0: NVIDIA H200");
  CHECK(object["executors"][1]["workers"] == 1);
  CHECK(object["executors"][1]["chunks"] == 60);
  CHECK(object["executors"][1]["units"] == 2'000'000'000);
  CHECK(object["executors"][1]["busy_seconds"] == 1.25);
  CHECK(object["notes"] == nlohmann::json{"no GPU used: built without CUDA"});
}

TEST_CASE("a summary of nothing divides by nothing", "[apps]") {
  run_summary summary;
  summary.report.task = "empty";
  summary.report.executors = {{"cpu", 1, 0, 0, 0}};
  CHECK(summary_lines(summary) == std::vector<std::string>{
                                      "empty: 0 results from 0 B in 0 sources, 0.00 ms, -",
                                      "cpu: 0 % of the input, 1 worker 0 % busy",
                                      "map 0.00 ms, merge 0.00 ms; peak memory 0 B, 0 B without mapped files",
                                  });
  const nlohmann::json object = nlohmann::json::parse(summary_json(summary));
  CHECK(object["units_per_second"] == 0);
  CHECK(object["notes"].empty());
}

TEST_CASE("notes that are not UTF-8 still give valid JSON", "[apps]") {
  run_summary summary = example();
  summary.report.notes = {"'\xFF.txt' was skipped"};
  CHECK(nlohmann::json::parse(summary_json(summary))["notes"][0] == "'\xEF\xBF\xBD.txt' was skipped");
}

}  // namespace duomap::apps::apps_report_summary_test
