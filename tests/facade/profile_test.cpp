// Tests runs with a folder of profiles: they change only the stored speeds, and no answer.
#include "core/report.hpp"
#include "duomap.hpp"
#include "scheduler/history/executor_set_history.hpp"
#include "scheduler/planner/run_history.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/core/input/support.hpp"
#include "tests/support/quick.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace duomap::test::facade_profile_test {
namespace {

/// Preparing this task takes 2 ms, which count neither as mapping nor as merging.
struct slowly_begun_counts : word_counts {
  static constexpr std::chrono::milliseconds pause{2};
  [[nodiscard]] std::string profile_parameters() const {
    std::this_thread::sleep_for(pause);
    return "slowly begun";
  }
};

/// The time that the planner expects of the same run on one thread.
template <class Task>
std::optional<double> expected_seconds(const Task& task, const input& from, const run_options& options) {
  return scheduler::run_history(options, cpu::kind::provider(),
                                scheduler::profile_name_of(task, "addressable"), 1, from[0].units())
      .pool_seconds();
}

/// So much text that a run on one thread is long enough to store a lesson; 2 MB would be too little.
input enough_to_learn() {
  std::string text;
  for (int i = quick() ? 1'000'000 : 8'000'000; i > 0; --i) text += "some words ";
  return text_input(std::move(text));
}

}  // namespace

TEST_CASE("sets of executors are compared by all that a run takes, and what is known of short ones is used",
          "[profile]") {
  const temporary_folder folder;
  const std::string text = "some words";
  const input from = text_input(text);
  const slowly_begun_counts task;
  const run_options how{.device = device_choice::cpu, .threads = 1, .profiles = folder.path()};
  const auto run_once = [&] {
    run_report report;
    run_options reported = how;
    reported.report = &report;
    const auto result = run(task, from, reported);
    CHECK(result.size() == 2);
    return report;
  };
  const auto known = [&] {
    const std::string name = scheduler::profile_name_of(task, "addressable") + " 1";
    return scheduler::executor_set_history::of_this_process().pools(name, text.size());
  };
  double shortest = 1;
  // Three runs, or more on a busy machine: after a much shorter run, the earlier ones are forgotten.
  for (int i = 0; i < 3 || (!known() && i < 100); ++i) {
    CHECK_FALSE(known().has_value());
    const run_report report = run_once();
    shortest = std::min(shortest, report.map_seconds + report.merge_seconds);
  }
  REQUIRE(known().has_value());
  CHECK(known()->seconds >= shortest + 0.9 * std::chrono::duration<double>(task.pause).count());
  CHECK(known()->seconds_per_unit > 0);
  // Under a sanitizer, the run may be too long to be a short run.
  if (known()->seconds >= scheduler::measured_thresholds.least_lesson_seconds) return;
  scheduler::run_history next(how, cpu::kind::provider(), scheduler::profile_name_of(task, "addressable"), 1,
                              text.size());
  CHECK(next.models(true, true).pool->seconds_per_unit == Approx(known()->seconds_per_unit));
}

TEST_CASE("a run remembers how fast its task was", "[profile]") {
  const temporary_folder folder;
  const input from = enough_to_learn();
  const auto expected = [&] {
    return expected_seconds(word_counts{}, from, {.profiles = folder.path()});
  };
  const auto run_once = [&](bool learn) {
    run_report report;
    const auto result = run(word_counts{}, from,
                            {.device = device_choice::cpu,
                             .threads = 1,
                             .profiles = folder.path(),
                             .learn = learn,
                             .timeline = true,
                             .report = &report});
    CHECK(result.size() == 2);
    return report;
  };
  static_cast<void>(run_once(false));
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK_FALSE(expected());
  const run_report first = run_once(true);
  CHECK(first.executors.at(0).seconds_per_unit > 0);
  CHECK_FALSE(first.timeline.empty());
  CHECK_FALSE(std::filesystem::is_empty(folder.path()));
  CHECK(expected() > 0);
}

TEST_CASE("a run says that its speed is not stored, and remembers it in the process", "[profile]") {
  const temporary_folder folder;
  const std::string file = folder.write("a file", "in the way");
  const input from = enough_to_learn();
  const auto run_once = [&](bool learn) {
    run_report report;
    static_cast<void>(run(
        word_counts{}, from,
        {.device = device_choice::cpu, .threads = 1, .profiles = file, .learn = learn, .report = &report}));
    return report;
  };
  CHECK(run_once(false).notes.empty());
  const run_report unstored = run_once(true);
  REQUIRE(unstored.notes.size() == 1);
  CHECK_THAT(unstored.notes[0], contains("not stored") && contains("a file' cannot be written"));
  CHECK(expected_seconds(word_counts{}, from, {.profiles = file}) > 0);
}

}  // namespace duomap::test::facade_profile_test
