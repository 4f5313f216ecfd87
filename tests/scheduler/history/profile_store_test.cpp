// Tests where profiles are stored (in files or in the process), and who finds them.
#include "scheduler/history/profile_store.hpp"

#include "scheduler/history/profile_text.hpp"
#include "scheduler/history/stored_cache.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/scheduler/history/example_profile.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace duomap::test::scheduler_profile_store_test {
namespace {

using scheduler::profile_access;
using scheduler::profile_options_from;
using scheduler::profile_store;
using scheduler::stored_cache;
using scheduler::task_profile;

std::string file_content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

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
  // No temporary file is left.
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

}  // namespace duomap::test::scheduler_profile_store_test
