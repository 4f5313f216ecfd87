// Profiles from run to run: what is remembered, trusted, written and read again.
#include "scheduler/profile/profile_store.hpp"
#include "scheduler/profile/profile_text.hpp"
#include "scheduler/profile/program_build.hpp"
#include "scheduler/profile/task_profile.hpp"
#include "tests/catch.hpp"
#include "tests/core_input_support.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::test {
namespace {

using scheduler::executor_profile;
using scheduler::models_for;
using scheduler::parse_profile;
using scheduler::profile_access;
using scheduler::profile_entry;
using scheduler::profile_key;
using scheduler::profile_options_from;
using scheduler::profile_store;
using scheduler::task_profile;
using scheduler::updated;

constexpr std::int64_t today = 1'800'000'000;
constexpr std::int64_t day = 24 * 3600;

executor_report measured_cpu(double seconds_per_unit) {
  executor_report report;
  report.name = "cpu";
  report.units = 1000;
  report.seconds_per_unit = seconds_per_unit;
  return report;
}

task_profile after(std::initializer_list<double> runs) {
  task_profile profile;
  for (const double one : runs)
    profile = updated(profile, std::vector<executor_report>{measured_cpu(one)}, today);
  return profile;
}

profile_entry an_entry() {
  profile_entry entry;
  entry.key.task = "word count, lower case";
  entry.key.facts = {{"cpu", "Some Processor (R) 100 % \n\t"}, {"cores", "16"}, {"", ""}};
  entry.profile.stored_at = today;
  entry.profile.executors.push_back({.name = "cpu",
                                     .model = {.seconds_per_grain = 1.0 / 3, .claim_seconds = 1e-300},
                                     .deviation = 0.01,
                                     .runs = 3});
  entry.profile.executors.push_back(
      {.name = "gpu 0 (\xFF)", .model = {.start_seconds = 0.19}, .surprises = 1});
  return entry;
}

std::string file_content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("profile: the first run is remembered as it was", "[profile]") {
  const task_profile profile = after({2e-9});
  REQUIRE(profile.executors.size() == 1);
  CHECK(profile.executors[0].model.seconds_per_grain == 2e-9);
  CHECK(profile.executors[0].runs == 1);
  CHECK(profile.stored_at == today);
}

TEST_CASE("profile: runs that agree are averaged, one that is far off replaces them", "[profile]") {
  CHECK(after({2e-9, 2.2e-9}).executors[0].model.seconds_per_grain == Approx(2.1e-9));
  for (const double wrong : {2e-11, 2e-7}) {
    const task_profile repaired = after({wrong, 2e-9});
    CHECK(repaired.executors[0].model.seconds_per_grain == 2e-9);
    CHECK(repaired.executors[0].surprises == 1);
    CHECK(trusted(repaired.executors[0], repaired, today));
    CHECK(after({wrong, 2e-9, 2e-9}).executors[0].surprises == 0);
  }
  // Never the same twice.
  const task_profile restless = after({1e-9, 2e-9, 4e-9});
  CHECK_FALSE(trusted(restless.executors[0], restless, today));
}

TEST_CASE("profile: what was not measured changes nothing", "[profile]") {
  const task_profile before = after({2e-9});
  const task_profile same = updated(before, std::vector<executor_report>{measured_cpu(0)}, today + day);
  CHECK(same.stored_at == today);
  CHECK(same.executors[0].runs == 1);
}

TEST_CASE("profile: age and foreign facts make it a hint", "[profile]") {
  const task_profile profile = after({2e-9});
  const std::vector<std::string> names{"cpu", "gpu 0"};
  const auto fresh = models_for(profile, true, today + day, names);
  REQUIRE(fresh.size() == 2);
  CHECK(fresh[0].trusted);
  CHECK(fresh[0].seconds_per_grain == 2e-9);
  CHECK_FALSE(fresh[1].known());
  for (const std::int64_t when : {today + 31 * day, today - day}) {
    const auto stale = models_for(profile, true, when, names);
    CHECK_FALSE(stale[0].trusted);
    CHECK(stale[0].known());
  }
  CHECK_FALSE(models_for(profile, false, today, names)[0].trusted);
}

TEST_CASE("profile: what is written is read again", "[profile]") {
  const profile_entry entry = an_entry();
  const auto again = parse_profile(to_text(entry));
  REQUIRE(again);
  CHECK(again->key.task == entry.key.task);
  CHECK((again->key.facts == entry.key.facts));
  CHECK(again->profile.stored_at == today);
  REQUIRE(again->profile.executors.size() == 2);
  CHECK(again->profile.executors[0].model.seconds_per_grain == 1.0 / 3);
  CHECK(again->profile.executors[0].model.claim_seconds == 1e-300);
  CHECK(again->profile.executors[0].runs == 3);
  CHECK(again->profile.executors[1].name == entry.profile.executors[1].name);
  CHECK(again->profile.executors[1].surprises == 1);
  CHECK(to_text(*again) == to_text(entry));
}

TEST_CASE("profile: a text that was changed in any place is no profile", "[profile]") {
  const std::string text = to_text(an_entry());
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
  const profile_entry entry = an_entry();
  CHECK_FALSE(store.load(entry.key));
  CHECK(store.save(entry));
  const auto found = store.load(entry.key);
  REQUIRE(found);
  CHECK(found->exact);
  CHECK(found->profile.executors.size() == 2);
  profile_key elsewhere = entry.key;
  elsewhere.facts[1].second = "8";
  REQUIRE(store.load(elsewhere));
  CHECK_FALSE(store.load(elsewhere)->exact);
  profile_key other = entry.key;
  other.task = "another task";
  CHECK_FALSE(store.load(other));
  // Nothing is left but the file.
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(store.path_of(entry.key.task).parent_path())) {
    CHECK(each.path() == store.path_of(entry.key.task));
    ++files;
  }
  CHECK(files == 1);
}

TEST_CASE("profile: a file that is none of ours is ignored", "[profile]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path()});
  profile_entry entry = an_entry();
  const std::filesystem::path path = store.path_of(entry.key.task);
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << "{}";
  CHECK_FALSE(store.load(entry.key));
  // Of another task, which happens to have the same file name.
  entry.key.task = "another";
  std::ofstream(path, std::ios::trunc) << to_text(entry);
  CHECK_FALSE(store.load(an_entry().key));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  CHECK_FALSE(store.load(an_entry().key));
  CHECK_FALSE(store.save(an_entry()));
  CHECK(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}) == 1);
}

TEST_CASE("profile: read-only and off do what they say", "[profile]") {
  const temporary_folder folder;
  const profile_entry entry = an_entry();
  const profile_store writer({profile_access::read_write, folder.path()});
  const profile_store reader({profile_access::read_only, folder.path()});
  const profile_store off({profile_access::off, folder.path()});
  CHECK_FALSE(reader.save(entry));
  CHECK_FALSE(off.save(entry));
  REQUIRE(writer.save(entry));
  CHECK(reader.load(entry.key));
  CHECK_FALSE(off.load(entry.key));
}

TEST_CASE("profile: a folder that cannot be made stores nothing and breaks nothing", "[profile]") {
  const temporary_folder folder;
  const std::string file = folder.write("a file", "in the way");
  const profile_store store({profile_access::read_write, file});
  CHECK_FALSE(store.save(an_entry()));
  CHECK_FALSE(store.load(an_entry().key));
  CHECK(file_content(file) == "in the way");
}

TEST_CASE("profile: readers and writers at once see whole profiles", "[profile]") {
  const temporary_folder folder;
  const profile_store store({profile_access::read_write, folder.path()});
  const profile_entry entry = an_entry();
  REQUIRE(store.save(entry));
  std::atomic<int> missing = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round) store.save(entry);
      });
      threads.emplace_back([&] {
        for (int round = 0; round < 100; ++round) {
          if (!store.load(entry.key)) ++missing;
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

TEST_CASE("profile: a program's build has a name, and always the same", "[profile]") {
  const std::string build = scheduler::program_build();
  CHECK(build == scheduler::program_build());
  CHECK(build.find_first_not_of("0123456789abcdef") == std::string::npos);
}

}  // namespace duomap::test
