// A run through the front door with a folder of profiles: nothing changes but what is known.
#include "core/report.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/core_input_support.hpp"
#include "tests/tasks.hpp"

#include <filesystem>
#include <string>

namespace duomap::test {

TEST_CASE("a run remembers how fast its task was", "[profile]") {
  const temporary_folder folder;
  // So much that one thread needs several times scheduler::least_lesson_seconds; 2 MB leave no lesson.
  std::string text;
  for (int i = 0; i < 8'000'000; ++i) text += "some words ";
  const input from = text_input(text);
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

}  // namespace duomap::test
