// A run through the front door with a folder of profiles: nothing changes but what is known.
#include "core/report.hpp"
#include "duomap.hpp"
#include "scheduler/history/executor_set_history.hpp"
#include "scheduler/planner/planner_thresholds.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/core/input/support.hpp"
#include "tests/support/quick.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

namespace duomap::test::facade_profile_test {
namespace {

/// Has to be prepared for a while, which is no part of mapping and merging.
struct slowly_begun_counts : word_counts {
  static constexpr std::chrono::milliseconds pause{2};
  [[nodiscard]] std::string profile_parameters() const {
    std::this_thread::sleep_for(pause);
    return "slowly begun";
  }
};

/// So much that one thread needs several times scheduler::measured_thresholds.least_lesson_seconds; 2 MB
/// leave no lesson.
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
  const auto run_once = [&] {
    run_report report;
    const auto result =
        run(task, from,
            {.device = device_choice::cpu, .threads = 1, .profiles = folder.path(), .report = &report});
    CHECK(result.size() == 2);
    return report;
  };
  const auto known = [&] {
    const std::string name = scheduler::profile_name_of(task, "addressable") + " 1";
    return scheduler::executor_set_history::of_this_process().pools(name, text.size());
  };
  double shortest = 1;
  // Three, or more on a busy machine: a run that took much less than those before makes them forgotten.
  for (int i = 0; i < 3 || (!known() && i < 100); ++i) {
    CHECK_FALSE(known().has_value());
    const run_report report = run_once();
    shortest = std::min(shortest, report.map_seconds + report.merge_seconds);
  }
  REQUIRE(known().has_value());
  CHECK(known()->seconds >= shortest + 0.9 * std::chrono::duration<double>(task.pause).count());
  CHECK(known()->seconds_per_unit > 0);
  // Runs under a sanitizer may not be short.
  if (known()->seconds >= scheduler::measured_thresholds.least_lesson_seconds) return;
  const double expected = known()->seconds_per_unit * static_cast<double>(text.size());
  CHECK(run_once().planned_seconds == Approx(expected));
}

TEST_CASE("a run remembers how fast its task was", "[profile]") {
  const temporary_folder folder;
  const input from = enough_to_learn();
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
  const run_report unstored = run_once(false);
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(unstored.planned_seconds == 0);
  const run_report first = run_once(true);
  CHECK(first.planned_seconds == 0);
  CHECK(first.executors.at(0).seconds_per_unit > 0);
  CHECK_FALSE(first.timeline.empty());
  CHECK_FALSE(std::filesystem::is_empty(folder.path()));
  const run_report second = run_once(true);
  CHECK(second.planned_seconds > 0);
  CHECK(second.executors.at(0).planned_share == 1);
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
  CHECK(run_once(true).planned_seconds > 0);
}

}  // namespace duomap::test::facade_profile_test
