// Profiles from run to run: what is remembered, trusted, written and read again.
#include "scheduler/history/profile_store.hpp"
#include "scheduler/history/profile_text.hpp"
#include "scheduler/history/stored_cache.hpp"
#include "scheduler/history/task_profile.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_profile_test {
namespace {

using scheduler::identity;
using scheduler::models_for;
using scheduler::parse_profile;
using scheduler::profile_access;
using scheduler::profile_options_from;
using scheduler::profile_store;
using scheduler::stored_cache;
using scheduler::task_profile;
using scheduler::updated;
using scheduler::with_short_run;

constexpr std::int64_t today = 1'800'000'000;
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

task_profile a_profile() {
  task_profile profile;
  profile.task = "word count, lower case";
  profile.executors.push_back(
      {.is = {"cpu", {{"cpu", "Some Processor (R) 100 % \n\t"}, {"cores", "16"}, {"", ""}}},
       .stored_at = today,
       .model = {.seconds_per_unit = 1.0 / 3, .claim_seconds = 1e-300, .co_run_share = 0.25},
       .deviation = 0.01,
       .runs = 3});
  profile.executors.push_back({.is = {"gpu 0 (\xFF)", {}}, .model = {.end_seconds = 0.19}, .surprises = 1});
  profile.executors.push_back(
      {.is = {"cpu", {}}, .model = {.seconds_per_unit = 1e-9}, .runs = 1, .short_run = 2e-3});
  return profile;
}

std::string file_content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
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
  // Never the same twice.
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
    // That of another rate says nothing of this one.
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

  // A real run replaces it, near or far, and is no surprise.
  for (const double real : {3.1e-9, 1e-9}) {
    const task_profile profile = updated(*better, std::vector{measured_cpu(real)}, only_cpu, today);
    CHECK(profile.executors[0].model.seconds_per_unit == real);
    CHECK(profile.executors[0].surprises == 0);
    CHECK(profile.executors[0].short_run == 0);
    CHECK_FALSE(models_for(profile, only_cpu, today)[0].at_most);
    CHECK_FALSE(short_run(profile, 5e-9, 9e-3));
    // What is too old to be trusted is not kept from a short run.
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
  CHECK_FALSE(trusted(profile.executors[0], today));  // the sanitizer sees the overflow
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
  // The latest is the hint for what was never measured.
  CHECK(models_for(profile, std::vector<identity>{{"cpu", {}}}, today + 1)[0].seconds_per_unit == 16e-9);
  // A GPU that takes no part is not forgotten.
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

TEST_CASE("profile: what is written is read again", "[profile]") {
  const task_profile profile = a_profile();
  const auto again = parse_profile(to_text(profile));
  REQUIRE(again);
  CHECK(again->task == profile.task);
  REQUIRE(again->executors.size() == 3);
  CHECK((again->executors[0].is == profile.executors[0].is));
  CHECK(again->executors[0].stored_at == today);
  CHECK(again->executors[0].model.seconds_per_unit == 1.0 / 3);
  CHECK(again->executors[0].model.claim_seconds == 1e-300);
  CHECK(again->executors[0].runs == 3);
  CHECK(again->executors[0].model.co_run_share == 0.25);
  CHECK_FALSE(again->executors[1].model.co_run_share);
  CHECK((again->executors[1].is == profile.executors[1].is));
  CHECK(again->executors[1].surprises == 1);
  CHECK(again->executors[1].short_run == 0);
  CHECK(again->executors[2].short_run == 2e-3);
  CHECK(to_text(*again) == to_text(profile));
}

TEST_CASE("profile: a text that was changed in any place is no profile", "[profile]") {
  const std::string text = to_text(a_profile());
  REQUIRE(parse_profile(text));
  for (std::size_t i = 0; i < text.size(); ++i) {
    CAPTURE(i);
    CHECK_FALSE(parse_profile(text.substr(0, i)));
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK_FALSE(parse_profile(changed));
    changed = text;
    changed.insert(i, 1, ' ');
    CHECK_FALSE(parse_profile(changed));
  }
  CHECK_FALSE(parse_profile(text + "\n"));
  CHECK_FALSE(parse_profile(text + text));
  std::string newer = text;
  newer.replace(newer.find(" 1\n"), 3, " 2\n");
  CHECK_FALSE(parse_profile(newer));
}

TEST_CASE("profile: noise is no profile", "[profile]") {
  std::mt19937 random(seed());
  for (int round = 0; round < 2000; ++round) {
    std::string noise(random() % 200, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    CHECK_FALSE(parse_profile(noise));
    CHECK_FALSE(parse_profile("duomap profile 1\n" + noise));
  }
}

TEST_CASE("profile: the store keeps what it was given", "[profile]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path("cache")});
  const task_profile profile = a_profile();
  CHECK_FALSE(store.load(profile.task));
  CHECK(store.save(profile));
  const auto found = store.load(profile.task);
  REQUIRE(found);
  CHECK(to_text(*found) == to_text(profile));
  CHECK_FALSE(store.load("another task"));
  // Nothing is left but the file.
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(store.path_of(profile.task).parent_path())) {
    CHECK(each.path() == store.path_of(profile.task));
    ++files;
  }
  CHECK(files == 1);
}

TEST_CASE("profile: of what is stored often, the newest is loaded", "[profile]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path()});
  task_profile profile = a_profile();
  for (std::uint32_t runs = 1; runs < 20; ++runs) {
    profile.executors[0].runs = runs;
    CHECK(store.save(profile));
    for (int again = 0; again < 2; ++again) CHECK(store.load(profile.task)->executors[0].runs == runs);
  }
}

TEST_CASE("profile: what is remembered is loaded by this process, and stored by none", "[profile]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path()});
  task_profile profile = a_profile();
  CHECK_FALSE(store.load(profile.task));
  store.remember(profile);
  REQUIRE(store.load(profile.task));
  CHECK_FALSE(std::filesystem::exists(store.path_of(profile.task)));
  CHECK(store.save(profile));
  CHECK(std::filesystem::exists(store.path_of(profile.task)));
  profile.executors[0].runs = 7;
  store.remember(profile);
  CHECK(store.load(profile.task)->executors[0].runs == 7);
}

TEST_CASE("profile: a process that learns all the time writes once in a second", "[profile]") {
  const temporary_folder folder;
  const std::string path = folder.path("of a task");
  const auto of_runs = [](std::uint32_t runs) {
    task_profile profile = a_profile();
    profile.executors[0].runs = runs;
    return profile;
  };
  const auto runs_in = [](const auto& known) {
    return known ? known->executors[0].runs : 0;
  };
  stored_cache<task_profile> here(scheduler::parse_profile, scheduler::to_text);
  stored_cache<task_profile> elsewhere(scheduler::parse_profile, scheduler::to_text);
  CHECK(here.read(path, 99) == nullptr);
  CHECK(here.keep(path, of_runs(1), 100));
  CHECK(here.keep(path, of_runs(2), 100.5));
  CHECK(runs_in(here.read(path, 100.6)) == 2);
  CHECK(runs_in(elsewhere.read(path, 100.6)) == 1);
  CHECK(here.keep(path, of_runs(3), 101.1));
  SECTION("what another process has written is found out") {
    CHECK(runs_in(elsewhere.read(path, 101.2)) == 3);
    CHECK(here.keep(path, of_runs(4), 101.3));
    CHECK(elsewhere.write(path, of_runs(5), 101.4));
    CHECK(runs_in(here.read(path, 101.5)) == 5);
  }
  SECTION("what must not be lost is written at once") {
    CHECK(here.write(path, of_runs(6), 101.2));
    CHECK(runs_in(elsewhere.read(path, 101.2)) == 6);
  }
  SECTION("a file that is gone is looked for once in a while") {
    std::filesystem::remove(path);
    CHECK(runs_in(here.read(path, 101.105)) == 3);
    CHECK(here.read(path, 101.2) == nullptr);
    CHECK(here.keep(path, of_runs(7), 101.3));
    CHECK(std::filesystem::exists(path));
  }
}

TEST_CASE("profile: a file that is none of ours is ignored", "[profile]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path()});
  task_profile profile = a_profile();
  const std::filesystem::path path = store.path_of(profile.task);
  std::filesystem::create_directories(path.parent_path());
  SECTION("noise") {
    std::ofstream(path) << "{}";
    CHECK_FALSE(store.load(profile.task));
  }
  SECTION("of another task, which happens to have the same file name") {
    profile.task = "another";
    std::ofstream(path) << to_text(profile);
    CHECK_FALSE(store.load(a_profile().task));
  }
  SECTION("a folder") {
    std::filesystem::create_directory(path);
    CHECK_FALSE(store.load(a_profile().task));
    CHECK_FALSE(store.save(a_profile()));
    CHECK(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}) == 1);
  }
}

TEST_CASE("profile: read-only and off do what they say", "[profile]") {
  const temporary_folder folder;
  const task_profile profile = a_profile();
  const profile_store writer({profile_access::read_write, folder.path()});
  const profile_store reader({profile_access::read_only, folder.path()});
  const profile_store off({profile_access::off, folder.path()});
  CHECK_FALSE(reader.save(profile));
  CHECK_FALSE(off.save(profile));
  REQUIRE(writer.save(profile));
  CHECK(reader.load(profile.task));
  CHECK_FALSE(off.load(profile.task));
}

TEST_CASE("profile: in a folder that cannot be made nothing is stored, and only the process knows it",
          "[profile]") {
  const temporary_folder folder;
  const std::string file = folder.write("a file", "in the way");
  const profile_store store({profile_access::read_write, file});
  CHECK_FALSE(store.save(a_profile()));
  CHECK(store.load(a_profile().task));
  CHECK(file_content(file) == "in the way");
}

TEST_CASE("profile: readers and writers at once see whole profiles", "[profile]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path()});
  const task_profile profile = a_profile();
  REQUIRE(store.save(profile));
  std::atomic<int> missing = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round) store.save(profile);
      });
      threads.emplace_back([&] {
        for (int round = 0; round < 100; ++round) {
          if (!store.load(profile.task)) ++missing;
        }
      });
    }
  }
  CHECK(missing == 0);
}

TEST_CASE("profile: the environment says where and whether", "[profile]") {
  const auto with = [](std::map<std::string, std::string> values) {
    return profile_options_from([&](const char* name) -> const char* {
      const auto found = values.find(name);
      return found == values.end() ? nullptr : found->second.c_str();
    });
  };
  CHECK(with({}).access == profile_access::off);
  CHECK(with({{"HOME", "/home/me"}}).folder == "/home/me/.cache/duomap");
  CHECK(with({{"HOME", "/home/me"}}).access == profile_access::read_write);
  CHECK(with({{"HOME", "/home/me"}, {"XDG_CACHE_HOME", "/cache"}}).folder == "/cache/duomap");
  CHECK(with({{"HOME", "/home/me"}, {"XDG_CACHE_HOME", "relative"}}).folder == "/home/me/.cache/duomap");
  CHECK(with({{"HOME", "/home/me"}, {"DUOMAP_PROFILE", "off"}}).access == profile_access::off);
  CHECK(with({{"HOME", "/home/me"}, {"DUOMAP_PROFILE", "read-only"}}).access == profile_access::read_only);
  CHECK(with({{"DUOMAP_PROFILE", "/elsewhere"}}).folder == "/elsewhere");
  CHECK(with({{"DUOMAP_PROFILE", "/elsewhere"}}).access == profile_access::read_write);
}

}  // namespace duomap::test::scheduler_profile_test
