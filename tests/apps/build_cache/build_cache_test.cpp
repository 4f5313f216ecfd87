// Tests the entries of a build cache in a temporary folder. tests/cli/shared_cache.py tests it with compilers
// and several processes.
#include "apps/build_cache/build_cache.hpp"

#include "apps/build_cache/compile_error.hpp"
#include "apps/build_cache/private_folder.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace duomap::test::apps_build_cache_build_cache_test {
namespace {

using namespace duomap::apps;
namespace files = std::filesystem;

// Work that makes a product of `bytes` bytes.
build_work work_of(const std::string& title, std::uint64_t bytes = 1) {
  return {.title = title, .make = [=](int folder) -> std::optional<std::string> {
            write_text_at(folder, build_cache::product, title);
            const file_descriptor there = open_own_file_at(folder, build_cache::product);
            files::resize_file("/proc/self/fd/" + std::to_string(there.get()), bytes);
            return "";
          }};
}

std::vector<std::string> titles_in(const build_cache& cache) {
  std::vector<std::string> titles;
  for (const cached_build& one : cache.entries()) titles.push_back(one.title);
  return titles;
}

TEST_CASE("build_cache: what is made once is found", "[build_cache]") {
  const temporary_folder with;
  build_cache cache(with.path("tasks"));
  CHECK_FALSE(cache.find("me"));
  CHECK_FALSE(files::exists(cache.path()));
  CHECK(cache.find_or_make("me", work_of("a")));
  CHECK(cache.find("me"));
  CHECK_FALSE(cache.find("me, otherwise"));
  CHECK(build_cache(with.path("tasks")).find("me"));
  CHECK(titles_in(cache) == std::vector<std::string>{"a"});
  CHECK(cache.clear() == 1);
  CHECK_FALSE(cache.find("me"));
  CHECK(files::is_empty(cache.path()));
}

TEST_CASE("build_cache: what fails, and what is used once, leaves nothing", "[build_cache]") {
  const temporary_folder with;
  build_cache cache(with.path("tasks"));
  build_work work = work_of("a");
  work.make = [](int folder) -> std::optional<std::string> {
    write_text_at(folder, "half", "");
    throw compile_error("no");
  };
  CHECK_THROWS_AS(cache.find_or_make("me", work), compile_error);
  work.make = [](int) {
    return std::optional<std::string>("");
  };  // makes no product
  CHECK_THROWS_AS(cache.find_or_make("me", work), output_error);
  work.make = [](int folder) -> std::optional<std::string> {
    write_text_at(folder, build_cache::product, "once");
    return std::nullopt;
  };
  CHECK(whole_text(cache.find_or_make("me", work)) == "once");
  CHECK(cache.entries().empty());
}

TEST_CASE("build_cache: what was not used for longest makes room", "[build_cache]") {
  const temporary_folder with;
  build_cache cache(with.path("tasks"));
  static_cast<void>(cache.find_or_make("old", work_of("old", build_cache::most_bytes / 2)));
  static_cast<void>(cache.find_or_make("older", work_of("older", build_cache::most_bytes / 2 - 1000)));
  for (const cached_build& one : cache.entries()) {
    files::last_write_time(files::path(cache.path()) / one.name / "identity",
                           files::file_time_type::clock::now() - std::chrono::hours(2));
  }
  CHECK(cache.find("old"));  // finding an entry counts as use
  static_cast<void>(cache.find_or_make("new", work_of("new", 2000)));
  CHECK(titles_in(cache) == std::vector<std::string>{"new", "old"});
  // A product above the size limit of the cache is kept, but nothing beside it.
  static_cast<void>(cache.find_or_make("huge", work_of("huge", build_cache::most_bytes + 1)));
  CHECK(titles_in(cache) == std::vector<std::string>{"huge"});
}

TEST_CASE("build_cache: one of several threads makes it", "[build_cache]") {
  const temporary_folder with;
  std::atomic<int> made{0}, found{0};
  const auto start = [&] {
    build_work work = work_of("a");
    work.make = [&, make = work.make](int folder) {
      ++made;
      return make(folder);
    };
    found += build_cache(with.path("tasks")).find_or_make("me", work) ? 1 : 0;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(start);
  for (std::thread& one : threads) one.join();
  CHECK(made == 1);
  CHECK(found == 8);
}

TEST_CASE("build_cache: a folder that was opened stays the same", "[build_cache]") {
  const temporary_folder with;
  build_cache cache(with.path("tasks"));
  static_cast<void>(cache.find_or_make("me", work_of("mine")));
  files::rename(with.path("tasks"), with.path("moved"));
  files::create_directory(with.path("tasks"));
  CHECK(cache.find("me"));
  static_cast<void>(cache.find_or_make("you", work_of("yours")));
  CHECK(files::is_empty(with.path("tasks")));
  CHECK_THROWS_WITH(build_cache(with.path("tasks")), test::contains("open to other users"));
  files::remove(with.path("tasks"));
  files::create_symlink(with.path("moved"), with.path("tasks"));
  CHECK_THROWS_WITH(build_cache(with.path("tasks")), test::contains("is no folder"));
}

}  // namespace
}  // namespace duomap::test::apps_build_cache_build_cache_test
