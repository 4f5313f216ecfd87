// Tests scheduler/history/profile_store.cpp: stored profiles that other programs may also write, and profiles
// at the end of a process.
#include "core/output/unfinished_file.hpp"
#include "scheduler/history/profile_store.hpp"
#include "scheduler/history/stored_text.hpp"
#include "scheduler/history/task_profile.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/support/own_process.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace duomap::test::scheduler_stored_profile_test {
namespace {

using scheduler::profile_access;
using scheduler::profile_store;
using scheduler::task_profile;

task_profile two_executors() {
  task_profile profile;
  profile.task = "word count, lower case";
  profile.executors.push_back({.is = {"cpu", {}}, .model = {.seconds_per_unit = 1}});
  profile.executors.push_back({.is = {"gpu 0", {}}, .model = {.seconds_per_unit = 2}});
  return profile;
}

std::string file_content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("profile: a link where the unfinished file is to be does not lead to another file", "[profile]") {
  const test::temporary_folder folder;
  const std::string other = folder.write("other", "not ours");
  const std::string path = folder.path("x.profile");
  const std::string unfinished = create_unfinished(path, 0600).path();
  std::filesystem::create_symlink(other, unfinished);
  CHECK(scheduler::write_stored(path, "text"));
  CHECK(file_content(other) == "not ours");
  CHECK(file_content(path) == "text");
}

TEST_CASE("own process: profiles are there while static objects end", "[.][own-process]") {
  // Constructed before the first profile, so destroyed after it. Like a thread that still runs at exit, its
  // destructor must find the profile.
  static const struct at_the_end {
    ~at_the_end() {
      const profile_store here({.access = profile_access::in_process, .folder = "a folder"});
      const auto found = here.load(two_executors().task);
      ::_exit(found && found->executors.size() == 2 ? 0 : 1);
    }
  } end;
  const profile_store here({.access = profile_access::in_process, .folder = "a folder"});
  REQUIRE(here.save(two_executors()));
  std::exit(2);
}

TEST_CASE("profile: a thread that runs a job when the process ends finds what is remembered", "[profile]") {
  check_own_process("own process: profiles are there while static objects end");
}

}  // namespace duomap::test::scheduler_stored_profile_test
