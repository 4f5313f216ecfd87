// Tests how the profile of a task changes from run to run, and when it is trusted.
#include "scheduler/history/task_profile.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/history/example_profile.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace duomap::test::scheduler_task_profile_test {
namespace {

using scheduler::identity;
using scheduler::models_for;
using scheduler::task_profile;
using scheduler::updated;
using scheduler::with_short_run;

constexpr std::int64_t day = 24 * 3600;

executor_report measured_cpu(double seconds_per_unit) {
  executor_report report;
  report.name = "cpu";
  report.units = 1000;
  report.seconds_per_unit = seconds_per_unit;
  return report;
}

const std::vector<identity> only_cpu{{"cpu", {{"workers", "16"}}}};

task_profile after(std::initializer_list<double> runs) {
  task_profile profile;
  for (const double one : runs)
    profile = updated(profile, std::vector<executor_report>{measured_cpu(one)}, only_cpu, today);
  return profile;
}

}  // namespace

TEST_CASE("profile: the first run is remembered as it was", "[profile]") {
  const task_profile profile = after({2e-9});
  REQUIRE(profile.executors.size() == 1);
  CHECK(profile.executors[0].model.seconds_per_unit == 2e-9);
  CHECK(profile.executors[0].runs == 1);
  CHECK(profile.executors[0].stored_at == today);
  CHECK(profile.executors[0].model.start_seconds == 0);
}

TEST_CASE("profile: runs that agree are averaged, one that is far off replaces them", "[profile]") {
  CHECK(after({2e-9, 2.2e-9}).executors[0].model.seconds_per_unit == Approx(2.1e-9));
  for (const double wrong : {2e-11, 2e-7}) {
    const task_profile repaired = after({wrong, 2e-9});
    CHECK(repaired.executors[0].model.seconds_per_unit == 2e-9);
    CHECK(repaired.executors[0].surprises == 1);
    CHECK(trusted(repaired.executors[0], today));
    CHECK(after({wrong, 2e-9, 2e-9}).executors[0].surprises == 0);
  }
  // Three rates that differ too much from each other.
  const task_profile restless = after({1e-9, 2e-9, 4e-9});
  CHECK_FALSE(trusted(restless.executors[0], today));
}

TEST_CASE("profile: what was not measured changes nothing", "[profile]") {
  const task_profile before = after({2e-9});
  const task_profile same =
      updated(before, std::vector<executor_report>{measured_cpu(0)}, only_cpu, today + day);
  CHECK(same.executors[0].stored_at == today);
  CHECK(same.executors[0].runs == 1);
}

TEST_CASE("profile: what only some runs measure stays", "[profile]") {
  executor_report rich = measured_cpu(2e-9);
  rich.claim_seconds = 1e-4;
  rich.alone_seconds_per_unit = 1.5e-9;
  rich.beside = 0.25;
  for (const double poor : {2e-9, 2e-7}) {
    task_profile profile = updated({}, std::vector{rich}, only_cpu, today);
    profile = updated(profile, std::vector{measured_cpu(poor)}, only_cpu, today);
    CHECK(profile.executors[0].model.claim_seconds == 1e-4);
    CHECK(profile.executors[0].model.co_run_share == 0.25);
    // A solo rate tells nothing after the rate itself has changed.
    CHECK(profile.executors[0].model.solo_seconds_per_unit == (poor == 2e-9 ? 1.5e-9 : 0));
  }
}

TEST_CASE("profile: what a short run shows is kept until a longer one shows more", "[profile]") {
  const auto short_run = [&](const task_profile& before, double seconds_per_unit, double seconds,
                             std::int64_t now = today) {
    return with_short_run(before, std::vector{measured_cpu(seconds_per_unit)}, only_cpu, seconds, now);
  };
  const auto hint = short_run({}, 5e-9, 2e-3);
  REQUIRE(hint);
  CHECK(models_for(*hint, only_cpu, today)[0].seconds_per_unit == 5e-9);
  CHECK(models_for(*hint, only_cpu, today)[0].trusted);
  CHECK(models_for(*hint, only_cpu, today)[0].at_most);
  CHECK_FALSE(short_run(*hint, 6e-9, 2e-3));
  const auto better = short_run(*hint, 3e-9, 3e-3);
  REQUIRE(better);
  CHECK(better->executors.size() == 1);
  CHECK(better->executors[0].model.seconds_per_unit == 3e-9);

  // An ordinary run replaces the hint of a short run, and does not count as a surprise.
  for (const double real : {3.1e-9, 1e-9}) {
    const task_profile profile = updated(*better, std::vector{measured_cpu(real)}, only_cpu, today);
    CHECK(profile.executors[0].model.seconds_per_unit == real);
    CHECK(profile.executors[0].surprises == 0);
    CHECK(profile.executors[0].short_run == 0);
    CHECK_FALSE(models_for(profile, only_cpu, today)[0].at_most);
    CHECK_FALSE(short_run(profile, 5e-9, 9e-3));
    // A profile too old to be trusted gives way to a short run.
    CHECK(short_run(profile, 5e-9, 2e-3, today + 40 * day));
  }

  executor_report device = measured_cpu(1e-9);
  device.kind = executor_kind::device;
  CHECK_FALSE(with_short_run({}, std::vector{device}, std::vector<identity>{{"gpu 0", {}}}, 5e-3, today));
  CHECK_FALSE(short_run({}, 0, 5e-3));
}

TEST_CASE("profile: age and foreign facts make it a hint", "[profile]") {
  const task_profile profile = after({2e-9});
  const std::vector<identity> both{only_cpu[0], {"gpu 0", {}}};
  const auto fresh = models_for(profile, both, today + day);
  REQUIRE(fresh.size() == 2);
  CHECK(fresh[0].trusted);
  CHECK(fresh[0].seconds_per_unit == 2e-9);
  CHECK_FALSE(fresh[1].known());
  for (const std::int64_t when : {today + 31 * day, today - day}) {
    const auto stale = models_for(profile, both, when);
    CHECK_FALSE(stale[0].trusted);
    CHECK(stale[0].known());
  }
  const std::vector<identity> foreign{{"cpu", {{"workers", "8"}}}};
  CHECK(models_for(profile, foreign, today)[0].known());
  CHECK_FALSE(models_for(profile, foreign, today)[0].trusted);
}

TEST_CASE("profile: any number that a file may hold is taken for what it is", "[profile]") {
  task_profile profile = after({2e-9});
  profile.executors[0].stored_at = std::numeric_limits<std::int64_t>::min();
  profile.executors[0].runs = std::numeric_limits<std::uint32_t>::max();
  CHECK_FALSE(trusted(profile.executors[0], today));  // a sanitizer checks for overflow
  const task_profile later =
      updated(profile, std::vector<executor_report>{measured_cpu(2.2e-9)}, only_cpu, today);
  CHECK(later.executors[0].runs == 8);
  CHECK(later.executors[0].model.seconds_per_unit == Approx(2.025e-9));
}

TEST_CASE("profile: what was measured with other facts stays apart", "[profile]") {
  const std::vector<identity> few{{"cpu", {{"workers", "2"}}}};
  task_profile profile =
      updated(after({2e-9}), std::vector<executor_report>{measured_cpu(16e-9)}, few, today + 1);
  CHECK(models_for(profile, only_cpu, today + 1)[0].seconds_per_unit == 2e-9);
  CHECK(models_for(profile, few, today + 1)[0].seconds_per_unit == 16e-9);
  // For facts that were never measured, the latest measurement is the hint.
  CHECK(models_for(profile, std::vector<identity>{{"cpu", {}}}, today + 1)[0].seconds_per_unit == 16e-9);
  // Runs without a GPU keep the GPU's profile.
  const std::vector<identity> gpu{{"gpu 0", {{"driver", "580"}}}};
  profile = updated(profile, std::vector<executor_report>{measured_cpu(1e-9)}, gpu, today + 2);
  profile = updated(profile, std::vector<executor_report>{measured_cpu(2e-9)}, only_cpu, today + 3);
  CHECK(models_for(profile, gpu, today + 3)[0].trusted);
}

TEST_CASE("profile: facts that are not known yet may be any", "[profile]") {
  const auto device = [](const char* model, const char* bus) {
    return std::vector<identity>{{"gpu 0", {{"device", model}, {"pci", bus}}}};
  };
  task_profile profile =
      updated({}, std::vector<executor_report>{measured_cpu(3e-9)}, device("H100", "0000:01:00.0"), today);
  profile = updated(profile, std::vector<executor_report>{measured_cpu(2e-9)}, device("H200", "0000:01:00.0"),
                    today + 1);
  const auto starting = models_for(profile, device("", "0000:01:00.0"), today + 1);
  CHECK(starting[0].trusted);
  CHECK(starting[0].seconds_per_unit == 2e-9);
  CHECK(models_for(profile, device("H100", "0000:01:00.0"), today + 1)[0].seconds_per_unit == 3e-9);
  const auto elsewhere = models_for(profile, device("", "0000:02:00.0"), today + 1);
  CHECK(elsewhere[0].known());
  CHECK_FALSE(elsewhere[0].trusted);
}

TEST_CASE("profile: the oldest of many alike is forgotten", "[profile]") {
  task_profile profile;
  const auto build = [](std::size_t number) {
    return std::vector<identity>{{"cpu", {{"program", std::to_string(number)}}}};
  };
  for (std::size_t i = 0; i <= scheduler::most_alike; ++i)
    profile = updated(profile, std::vector<executor_report>{measured_cpu(1e-9)}, build(i),
                      today + static_cast<std::int64_t>(i));
  CHECK(profile.executors.size() == scheduler::most_alike);
  CHECK_FALSE(models_for(profile, build(0), today + day)[0].trusted);
  CHECK(models_for(profile, build(1), today + day)[0].trusted);
  CHECK(models_for(profile, build(scheduler::most_alike), today + day)[0].trusted);
}

}  // namespace duomap::test::scheduler_task_profile_test
