// Tests what each option means, and that a wrong value is refused with advice.
#include "apps/cli/run_arguments.hpp"

#include "apps/cli/old_names.hpp"
#include "core/error.hpp"
#include "core/report.hpp"
#include "core/run_control.hpp"
#include "core/share_policy.hpp"
#include "tests/catch.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace duomap::apps::apps_cli_run_arguments_test {
namespace {

run_arguments parse(std::vector<std::string> arguments) {
  CLI::App command;
  run_arguments options;
  add_run_options(command, options);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes arguments from the back
  command.parse(arguments);
  return options;
}

}  // namespace

TEST_CASE("the defaults", "[apps]") {
  const run_arguments options = parse({"a.txt", "-", "b"});
  CHECK(options.paths == std::vector<std::string>{"a.txt", "-", "b"});
  CHECK(options.device == device_choice::automatic);
  CHECK_FALSE(options.threads);
  CHECK_FALSE(options.top);
  CHECK(options.order == row_order::none);
  CHECK(options.format == table_format::tsv);
  CHECK(options.may_align);
  CHECK(options.output == "-");
  CHECK_FALSE(options.json_summary);
  CHECK_FALSE(options.summary);
  CHECK_FALSE(options.quiet);
  CHECK_FALSE(options.verify);
  CHECK(options.share.policy == share_policy::automatic);
  CHECK_FALSE(options.strict);
  CHECK_FALSE(options.deterministic);
  CHECK_FALSE(options.explain);
  CHECK_FALSE(options.trace);
  CHECK_FALSE(options.report);
  CHECK_FALSE(options.profile);
}

TEST_CASE("the memory that collected rows may take", "[apps]") {
  CHECK(parse({"p"}).memory == 0);
  CHECK(parse({"p", "--memory", "123"}).memory == 123);
  CHECK(parse({"p", "--memory", "5K"}).memory == 5000);
  CHECK(parse({"p", "--memory", "16G"}).memory == 16'000'000'000);
  CHECK(parse({"p", "--memory=2T"}).memory == 2'000'000'000'000);
  for (const char* const wrong : {"0", "0K", "-1", "x", "", "1.5G", "5k", "5KB", "18446744073709551616",
                                  "18446744073709552K", "99999999T"}) {
    INFO(wrong);
    CHECK_THROWS_AS(parse({"p", "--memory", wrong}), usage_error);
  }
  run_control control;
  run_report report;
  CHECK(run_options_for(parse({"p", "--limit", "7M"}), control, &report).memory == 7'000'000);
}

TEST_CASE("how a run is shared, explained and remembered", "[apps]") {
  const run_arguments options = parse(
      {"p", "--share", "gpu=0.75", "--strict", "--explain", "--trace", "t.json", "--profile", "/profiles"});
  CHECK(options.share.gpu_share == 0.75);
  CHECK(options.explain);
  run_control control;
  run_report report;
  const run_options job = run_options_for(options, control, &report);
  CHECK(job.share.policy == share_policy::by_hand);
  CHECK(job.strict);
  CHECK(job.timeline);
  CHECK(job.profiles == "/profiles");
  CHECK(job.learn);
  CHECK(job.control == &control);
  CHECK(job.report == &report);
  CHECK(run_options_for(parse({"p", "--profile", "off"}), control, &report).profiles.empty());
  CHECK_FALSE(run_options_for(parse({"p", "--profile", "read-only"}), control, &report).learn);
  CHECK_THROWS_AS(parse({"p", "--share", "fair"}), usage_error);
  CHECK_THROWS_AS(parse({"p", "--trace", "-"}), usage_error);
  CHECK_THROWS_AS(parse({"p", "--trace", "x", "--output", "x"}), usage_error);
  CHECK_FALSE(run_options_for(parse({"p"}), control, &report).timeline);
  CHECK(run_options_for(parse({"p", "--report", "r.html"}), control, &report).timeline);
  CHECK_THROWS_AS(parse({"p", "--report", "-"}), usage_error);
  CHECK_THROWS_AS(parse({"p", "--report", ""}), usage_error);
  for (const char* const other : {"--output", "--summary", "--trace"})
    CHECK_THROWS_AS(parse({"p", "--report", "x", other, "x"}), usage_error);
}

TEST_CASE("every option", "[apps]") {
  const run_arguments options =
      parse({"--device", "cpu+gpu", "--threads", "3", "in", "--top=18446744073709551615", "--sort", "key",
             "--format", "jsonl", "--output", "out", "--json", "--summary", "s", "--quiet", "--verify", "--",
             "--in2"});
  CHECK(options.paths == std::vector<std::string>{"in", "--in2"});
  CHECK(options.device == device_choice::cpu_gpu);
  CHECK(options.threads == 3U);
  CHECK(options.top == UINT64_MAX);
  CHECK(options.order == row_order::key);
  CHECK(options.format == table_format::jsonl);
  CHECK(options.output == "out");
  CHECK(options.json_summary);
  CHECK(options.summary == "s");
  CHECK(options.quiet);
  CHECK(options.verify);
}

TEST_CASE("a task without floating point says that --deterministic changes nothing", "[apps]") {
  run_report report;
  note_exact_task(parse({"p"}), report);
  CHECK(report.notes.empty());
  note_exact_task(parse({"p", "--deterministic"}), report);
  REQUIRE(report.notes.size() == 1);
  CHECK_THAT(report.notes[0], test::contains("changes nothing"));
}

TEST_CASE("the words of the choices", "[apps]") {
  CHECK(parse({"p", "--device", "auto"}).device == device_choice::automatic);
  CHECK(parse({"p", "--device", "cpu"}).device == device_choice::cpu);
  CHECK(parse({"p", "--device", "gpu"}).device == device_choice::gpu);
  CHECK(parse({"p"}).gpu.engine == std::nullopt);
  CHECK(parse({"p", "--gpu-engine", "auto"}).gpu.engine == std::nullopt);
  CHECK(parse({"p", "--gpu-engine", "dense"}).gpu.engine == engine_kind::dense);
  CHECK(parse({"p", "--gpu-engine", "hash"}).gpu.engine == engine_kind::hash);
  CHECK(parse({"p", "--gpu-engine", "dense", "--gpu-engine", "sort"}).gpu.engine == engine_kind::sort);
  CHECK(parse({"p"}).gpu.block_tables == std::nullopt);
  CHECK(parse({"p", "--gpu-block-tables", "auto"}).gpu.block_tables == std::nullopt);
  CHECK(parse({"p", "--gpu-block-tables", "0"}).gpu.block_tables == 0u);
  CHECK(parse({"p", "--gpu-block-tables", "4"}).gpu.block_tables == 4u);
  CHECK(parse({"p", "--sort", "none"}).order == row_order::none);
  CHECK(parse({"p", "--sort", "value"}).order == row_order::value);
  CHECK(parse({"p", "--format", "tsv"}).format == table_format::tsv);
  CHECK_FALSE(parse({"p", "--format", "tsv"}).may_align);
  CHECK(parse({"p", "--format", "auto"}).may_align);
  CHECK(parse({"p", "--format", "csv"}).format == table_format::csv);
}

TEST_CASE("options by their old names mean the same, and a note says the new ones", "[apps]") {
  const run_arguments old = parse({"p", "--split", "gpu=0.75", "--engine", "sort", "--block-tables", "4"});
  CHECK(old.share.gpu_share == 0.75);
  CHECK(old.gpu.engine == engine_kind::sort);
  CHECK(old.gpu.block_tables == 4u);
  CHECK(parse({"p", "--engine", "sort", "--gpu-engine", "hash"}).gpu.engine == engine_kind::hash);
  CHECK(parse({"p", "--gpu-engine", "hash", "--engine", "sort"}).gpu.engine == engine_kind::sort);
  const std::vector<std::string>& notes = notes_on_old_names();
  for (const std::string note : {"--split is called --share now", "--engine is called --gpu-engine now",
                                 "--block-tables is called --gpu-block-tables now"}) {
    CAPTURE(note);
    CHECK(std::ranges::count(notes, note) == 1);
  }
}

TEST_CASE("a lone --top sorts by value", "[apps]") {
  CHECK(parse({"p", "--top", "3"}).order == row_order::value);
  CHECK(parse({"p", "--top", "3", "--sort", "none"}).order == row_order::none);
  CHECK(parse({"p", "--sort", "key", "--top", "3"}).order == row_order::key);
}

TEST_CASE("the last one of an option counts", "[apps]") {
  const run_arguments options = parse(
      {"p", "--top", "3", "--top", "4", "--output", "a", "-o", "b", "--format", "csv", "--format", "tsv"});
  CHECK(options.top == 4U);
  CHECK(options.output == "b");
  CHECK(options.format == table_format::tsv);
}

TEST_CASE("nonsense is refused with advice", "[apps]") {
  const auto refused = [](std::vector<std::string> arguments, const std::string& advice) {
    CAPTURE(arguments);
    CHECK_THROWS_AS(parse(arguments), usage_error);
    CHECK_THROWS_WITH(parse(arguments), test::contains(advice));
  };
  refused({}, "give at least one PATH, or - for standard input");
  for (const std::string bad : {"0", "-1", "1.5", "x", "3x", " 3", "+3"}) {
    refused({"p", "--top=" + bad}, "--top is '" + bad + "'; give a whole number of at least 1");
    refused({"p", "--threads=" + bad}, "--threads is '" + bad + "'; give a whole number of at least 1");
  }
  refused({"p", "--top", "18446744073709551616"}, "give a smaller number");
  refused({"p", "--threads", "4294967296"}, "give a smaller number");
  refused({"p", "--device", "tpu"}, "--device is 'tpu'; give one of auto|cpu|gpu|cpu+gpu");
  refused({"p", "--gpu-engine", "table"}, "--gpu-engine is 'table'; give one of auto|custom|dense|hash|sort");
  refused({"p", "--gpu-block-tables", "3"}, "--gpu-block-tables is '3'; give one of auto|0|1|2|4");
  refused({"p", "--sort", "Key"}, "give one of none|key|value");
  refused({"p", "--format", "json"}, "give one of auto|tsv|csv|jsonl");
  refused({"p", "--summary", "-"}, "--json prints the summary");
  refused({"p", "--summary", "x", "--output", "x"}, "give two files");
}

}  // namespace duomap::apps::apps_cli_run_arguments_test
