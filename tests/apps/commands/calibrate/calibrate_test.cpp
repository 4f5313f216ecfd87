// Tests calibration with scripted figures: models, predictions, splits, and their tables.
#include "apps/commands/calibrate/calibrate.hpp"

#include "apps/commands/calibrate/machine_table.hpp"
#include "apps/commands/calibrate/task_model.hpp"
#include "apps/commands/calibrate/task_table.hpp"
#include "apps/commands/registry.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps::apps_commands_calibrate_calibrate_test {
namespace {

using test::contains;

constexpr std::uint64_t whole = 6'400'000'000;

executor_report executor(const std::string& name, std::uint64_t units, double copy = 0, double compute = 0) {
  executor_report one;
  one.name = name;
  one.units = units;
  one.copy_seconds = copy;
  one.compute_seconds = compute;
  return one;
}

run_report run(std::uint64_t units, double seconds, std::vector<executor_report> executors) {
  run_report report;
  report.units = units;
  report.map_seconds = seconds * 0.75;
  report.merge_seconds = seconds * 0.25;
  report.executors = std::move(executors);
  return report;
}

/// Three runs of each size, one of them disturbed, on a device with a fixed cost and a rate.
calibration_series series(const std::string& name, double fixed, double units_per_second,
                          std::initializer_list<std::uint64_t> sizes) {
  calibration_series all{name, {}};
  for (const std::uint64_t units : sizes) {
    const double seconds = fixed + static_cast<double>(units) / units_per_second;
    for (const double factor : {1.0, 1.01, 3.0})
      all.runs.push_back(run(units, seconds * factor, {executor(name, units)}));
  }
  return all;
}

task_calibration example() {
  task_calibration found;
  found.task = "wordcount";
  found.input_units = whole;
  found.alone = {series("cpu", 1e-3, 10e9, {whole / 64, whole / 16, whole / 4, whole}),
                 series("gpu 0", 5e-3, 40e9, {whole / 64, whole / 16, whole / 4, whole})};
  found.both = series("together", 4e-3, 45e9, {whole / 64, whole / 16, whole / 4, whole});
  for (run_report& one : found.both->runs)
    one.executors = {executor("cpu", one.units / 5), executor("gpu 0", one.units - one.units / 5)};
  for (run_report& one : found.alone[1].runs) {
    one.executors[0].copy_seconds = static_cast<double>(one.units) / 50e9;
    one.executors[0].compute_seconds = static_cast<double>(one.units) / 160e9;
  }
  found.stored_in = "/cache";
  found.notes = {"a note."};
  return found;
}

}  // namespace

TEST_CASE("calibration: a model is fitted to medians, and the largest runs do not take part", "[calibrate]") {
  calibration_series cpu = series("cpu", 2e-3, 10e9, {whole / 64, whole / 16, whole / 4});
  for (int i = 0; i < 3; ++i) cpu.runs.push_back(run(whole, 99, {}));
  const auto model = fit_runs(cpu.runs, whole);
  REQUIRE(model);
  CHECK(1 / model->seconds_per_unit == Approx(10e9).epsilon(0.02));
  CHECK(model->fixed_seconds == Approx(2e-3).epsilon(0.05));
  CHECK(model->runs == 9);
  CHECK(model->sizes == 3);
  CHECK(model->deviation < 0.02);
  CHECK(model->seconds(whole) == Approx(0.642).epsilon(0.02));
  CHECK(median_seconds(cpu.runs, whole) == Approx(99));
  CHECK(median_seconds(cpu.runs, 1) == 0);
}

TEST_CASE("calibration: what cannot be told is not told", "[calibrate]") {
  CHECK_FALSE(fit_runs({}, whole));
  CHECK_FALSE(fit_runs(series("cpu", 0, 1e9, {1000, 9000}).runs, whole));          // only two sizes
  CHECK_FALSE(fit_runs(series("cpu", 0, 1e9, {1000, 2000, 3000}).runs, whole));    // sizes too close together
  CHECK_FALSE(fit_runs(series("cpu", 1, 1e300, {1000, 2000, 9000}).runs, whole));  // equal times
  task_calibration found = example();
  found.alone[0].runs.resize(3);  // leaves runs of one size
  const std::string text = calibration_text(found);
  CHECK_THAT(text, contains("| cpu | not to be told |"));
  CHECK_THAT(text, !contains("split predicted"));
  CHECK(nlohmann::json::parse(calibration_json(found))["ideal_seconds"] == 0);
}

TEST_CASE("calibration: the split fills devices up to one level", "[calibrate]") {
  const std::vector<fitted_model> models = {{.fixed_seconds = 0, .seconds_per_unit = 1e-9},
                                            {.fixed_seconds = 0.1, .seconds_per_unit = 0.25e-9}};
  const ideal_split split = ideal_split_of(models, 1'000'000'000);
  // t * 1e9 + (t - 0.1) * 4e9 = 1e9
  CHECK(split.seconds == Approx(0.28));
  REQUIRE(split.shares.size() == 2);
  CHECK(split.shares[0] == Approx(0.28));
  CHECK(split.shares[1] == Approx(0.72));
  // The run is too small for a start of the second device.
  CHECK(ideal_split_of(models, 1'000'000).shares[1] == 0);
}

TEST_CASE("calibration: shares and stages are those of the largest runs", "[calibrate]") {
  const task_calibration found = example();
  const std::vector<double> shares = shares_of(found.both->runs, whole);
  REQUIRE(shares.size() == 2);
  CHECK(shares[0] == Approx(0.2));
  CHECK(shares[1] == Approx(0.8));
  CHECK(shares_of(found.both->runs, 7).empty());
  const stage_rates stages = stages_of(found.alone[1].runs);
  CHECK(stages.copy == Approx(50e9));
  CHECK(stages.compute == Approx(160e9));
  CHECK(stages_of(found.alone[0].runs).copy == 0);
}

TEST_CASE("calibration: the table says what was predicted and what was reached", "[calibrate]") {
  const std::string text = calibration_text(example());
  CHECK_THAT(text, contains("wordcount: runs on parts of 100 MB, 400 MB, 1.60 GB, 6.40 GB of 6.40 GB"));
  CHECK_THAT(text, contains("| cpu | 1.01 ms | 9.90 GB/s |"));
  CHECK_THAT(text, contains("| gpu 0 | 5.05 ms | 39.6 GB/s | 50.0 GB/s | 160 GB/s |"));
  CHECK_THAT(text, contains("| together |"));
  CHECK_THAT(text, contains("split predicted: cpu 20.5 %, gpu 0 79.5 %, 134 ms if neither slowed"));
  CHECK_THAT(text, contains("split reached: cpu 20.0 %, gpu 0 80.0 %"));
  CHECK_THAT(text, contains("co-execution efficiency reached: 89.7 % of"));
  CHECK_THAT(text, contains("a note.\n"));
  CHECK_THAT(text, contains("stored in /cache"));
  CHECK_THAT(text, !contains("not run"));
}

TEST_CASE("calibration: an input longer than what was run is predicted", "[calibrate]") {
  task_calibration found = example();
  found.input_units = 10 * whole;
  found.ran_all = false;
  CHECK_THAT(calibration_text(found), contains("all of the input: 1.44 s predicted, not run"));
}

TEST_CASE("calibration: of an application without parts each run is one of all", "[calibrate]") {
  task_calibration found = example();
  found.ran_all = false;
  found.input_units = 10 * whole;
  found.alone = {series("cpu", 1e-3, 10e9, {whole})};
  found.both.reset();
  CHECK_THAT(calibration_text(found), contains("each run did all of the input"));
  CHECK_THAT(calibration_text(found), !contains("not run"));
}

TEST_CASE("calibration: the same for programs", "[calibrate]") {
  const auto object = nlohmann::json::parse(calibration_json(example()));
  CHECK(object["task"] == "wordcount");
  CHECK(object["largest_units"] == whole);
  REQUIRE(object["models"].size() == 3);
  CHECK(object["models"][1]["name"] == "gpu 0");
  CHECK(object["models"][1]["runs"] == 9);
  const double predicted = object["models"][0]["predicted_seconds"];
  const double reached = object["models"][0]["reached_seconds"];
  CHECK(predicted == Approx(reached).epsilon(0.01));
  CHECK(object["reached_shares"][1] == 0.8);
  CHECK(object["efficiency"] == Approx(0.897).epsilon(0.002));
  task_calibration cpu_only = example();
  cpu_only.both.reset();
  cpu_only.alone.resize(1);
  CHECK_FALSE(nlohmann::json::parse(calibration_json(cpu_only)).contains("reached_shares"));
  CHECK_THAT(calibration_text(cpu_only), !contains("split"));
}

TEST_CASE("calibration: the machine's profile as tables and as JSON", "[calibrate]") {
  machine_summary summary;
  summary.profile.parts = {
      {"host",
       {{"processor", "Some CPU"}, {"cores", "16"}},
       5,
       {{machine_property::copy, 1, 13.6e9, 0.01, 5}, {machine_property::copy, 16, 88e9, 0.01, 5}}},
      {"GPU-1",
       {{"device", "Some GPU"}, {"link", ""}},
       6,
       {{machine_property::context_start, 0, 0.19, 0, 1},
        {machine_property::launch, 0, 2.6e-6, 0.02, 5},
        {machine_property::lock_memory, 0, 25e-12, 0.02, 5},
        {machine_property::to_device_locked, 1 << 20, 39e9, 0.1, 5},
        {machine_property::to_device_locked, 256 << 20, 55.5e9, 0.1, 5},
        {machine_property::from_device_locked, 256 << 20, 55e9, 0.1, 5}}}};
  summary.notes = {"a note."};
  summary.stored_in = "/cache/machine.profile";
  const std::string text = machine_text(summary);
  CHECK_THAT(text, contains("host, processor Some CPU, cores 16\n"));
  CHECK_THAT(text, contains("| memory | 1 thread | 16 threads |\n|---|---:|---:|\n"
                            "| copying memory | 13.6 GB/s | 88.0 GB/s |"));
  CHECK_THAT(text, contains("GPU-1, device Some GPU\n"));
  CHECK_THAT(text, contains("| copies of | 1 MiB | 256 MiB |"));
  CHECK_THAT(text, contains("| host to device, page-locked | 39.0 GB/s | 55.5 GB/s |"));
  CHECK_THAT(text, contains("| device to host, page-locked | | 55.0 GB/s |"));
  CHECK_THAT(text, contains("| start of a context | 190 ms | 1 |"));
  CHECK_THAT(text, contains("| launch | 2.60 us | 5 |"));
  CHECK_THAT(text, contains("| page-locking memory in use | 25.0 ms/GB | 5 |"));
  CHECK_THAT(text, contains("a note.\nstored in /cache/machine.profile\n"));

  const auto object = nlohmann::json::parse(machine_json(summary));
  CHECK(object["stored_in"] == "/cache/machine.profile");
  REQUIRE(object["parts"].size() == 2);
  CHECK(object["parts"][0]["facts"]["cores"] == "16");
  const auto& figures = object["parts"][1]["figures"];
  CHECK(figures[0]["term"] == "context-start");
  CHECK(figures[0]["seconds"] == 0.19);
  CHECK_FALSE(figures[0].contains("at"));
  CHECK(figures[2]["seconds_per_byte"] == 25e-12);
  CHECK(figures[3]["bytes"] == 1 << 20);
  CHECK(figures[3]["bytes_per_second"] == 39e9);
}

TEST_CASE("calibration: an input that is too small for it is wrong usage", "[calibrate]") {
  const test::temporary_folder folder;
  run_arguments options;
  options.paths = {folder.write("small.txt", std::string(2 << 20, 'a'))};
  options.profile = "off";
  run_control control;
  CHECK_THROWS_AS(calibrate_application(*find_app("wordcount"), options, control), usage_error);
  CHECK_THROWS_WITH(calibrate_application(*find_app("wordcount"), options, control),
                    contains("32 MiB") && contains("2097152 bytes"));
}

TEST_CASE("calibration: a part of the input is its first bytes", "[calibrate]") {
  const test::temporary_folder folder;
  run_arguments options;
  options.paths = {folder.write("text.txt", std::string(2 << 20, 'a'))};
  CHECK(input_of(options)[0].units() == 2 << 20);
  options.first_bytes = 1000;
  CHECK(input_of(options)[0].units() == 1000);
  CHECK(input_of(options)[0].bytes().text() == std::string(1000, 'a'));
}

TEST_CASE("calibration: cancelled, it ends without a result", "[calibrate]") {
  const test::temporary_folder folder;
  run_arguments options;
  options.paths = {folder.write("text.txt", std::string(33 << 20, ' '))};
  options.profile = "off";
  run_control control;
  control.cancelled = true;
  CHECK_THROWS_AS(calibrate_application(*find_app("wordcount"), options, control), interrupted);
}

}  // namespace duomap::apps::apps_commands_calibrate_calibrate_test
