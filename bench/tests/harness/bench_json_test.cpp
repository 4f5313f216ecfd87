// Tests benchmark runs as JSON: nothing is lost on the way, and a text that is no run is explained.
#include "bench/harness/bench_json.hpp"

#include "bench/tests/harness/support.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

#include <filesystem>
#include <fstream>

namespace duomap::test::bench_harness_bench_json_test {
namespace {

apps::bench_run full_run() {
  apps::bench_row row = synthetic_row("duomap", {0.25, 0.125, 0.1}, 4);
  row.device = "cpu+gpu";
  row.x = 1000;
  row.cold_seconds = 0.5;
  row.work = {420e6, "B"};
  row.host_bytes = std::uint64_t{1} << 40;
  row.device_bytes = 0;
  row.speed_up = 0.1;
  row.figures = {{"of it mapping", 1.0 / 3, "s"}, {"keys", 30}};
  row.checked = true;
  row.note = "with \"quotes\", <brackets> and a\nnewline";
  apps::bench_row absent = synthetic_row("scikit-learn", {});
  absent.not_measured = "not installed";
  apps::bench_run run = synthetic_run({row, absent});
  run.quick = true;
  run.tables.front().subject = "What it was.";
  run.tables.front().notes = {"One", "Two"};
  run.tables.front().plot = apps::bench_plot::lines;
  run.tables.front().plotted = apps::bench_axis::rate;
  run.tables.front().x_label = "distinct keys";
  run.ended_early = "something went wrong";
  return run;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("a saved run is the run", "[bench]") {
  const apps::bench_run run = full_run();
  const std::string text = json_of(run);
  const apps::bench_run back = apps::parse_run(text, "here");
  CHECK(json_of(back) == text);  // which has every field that differs from nothing
  CHECK(back.machine.gpus == run.machine.gpus);
  CHECK(back.build.commit == "1234abc");
  CHECK(back.quick);
  CHECK(back.ended_early == run.ended_early);
  const apps::bench_table& table = back.tables.at(0);
  CHECK(table.plot == apps::bench_plot::lines);
  CHECK(table.plotted == apps::bench_axis::rate);
  CHECK(table.x_label == "distinct keys");
  CHECK(table.notes.size() == 2);
  const apps::bench_row& row = table.rows.at(0);
  CHECK(row.seconds == run.tables[0].rows[0].seconds);
  CHECK(row.figures.at(0).value == 1.0 / 3);
  CHECK(row.figures.at(1).unit.empty());
  CHECK(row.note == run.tables[0].rows[0].note);
  CHECK(row.x == 1000.0);
  CHECK(row.cold_seconds == 0.5);
  CHECK(row.host_bytes == std::uint64_t{1} << 40);
  CHECK(row.device_bytes == std::uint64_t{0});
  CHECK(row.checked);
  CHECK(table.rows.at(1).not_measured == "not installed");
  CHECK(!table.rows.at(1).checked);
  CHECK(!table.rows.at(1).cold_seconds);
}

TEST_CASE("tables travel between processes", "[bench]") {
  const apps::bench_run run = full_run();
  const std::string text = apps::json_of(run.tables);
  CHECK(apps::json_of(apps::parse_tables(text, "here")) == text);
}

TEST_CASE("names that are no text do not stop a run from being saved", "[bench]") {
  apps::bench_run run = synthetic_run({synthetic_row("\xff\xfe", {1})});
  CHECK(apps::parse_run(json_of(run), "here").tables[0].rows[0].program == "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("what is no saved run is explained with its name", "[bench]") {
  const std::string text = json_of(full_run());
  const auto problem = [](const std::string& of) {
    try {
      static_cast<void>(apps::parse_run(of, "old.json"));
    } catch (const input_error& found) {
      return std::string(found.what());
    }
    return std::string();
  };
  for (const std::string& bad :
       {std::string(), std::string("{"), text.substr(0, text.size() / 2), std::string("[]"),
        std::string("{}"), std::string("{\"duomap_bench\": \"one\"}")})
    CHECK_THAT(problem(bad), contains("old.json") && contains("--export-json"));
  CHECK_THAT(problem(replaced(text, "\"duomap_bench\": 1", "\"duomap_bench\": 99")),
             contains("its format is 99"));
  CHECK_THAT(problem(replaced(text, "\"program\": \"duomap\"", "\"programme\": 1")), contains("program"));
  CHECK_THAT(problem(replaced(text, "0.125", "-0.125")),
             contains("not greater than 0") && contains("duomap"));
  CHECK_THAT(problem(replaced(text, "\"lines\"", "\"pie\"")), contains("'pie'"));
  CHECK_THAT(problem(replaced(text, "\"not_measured\": \"not installed\"", "\"not_measured\": \"\"")),
             contains("either seconds or why"));
  CHECK_THROWS_WITH(apps::load_run("/nowhere/old.json"),
                    contains("/nowhere/old.json") && contains("No such file"));
}

}  // namespace duomap::test::bench_harness_bench_json_test
