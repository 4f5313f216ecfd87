// Tests how a build records the files that its compiler has read, and notices changed files.
// tests/cli/changed_builds.py tests whole builds.
#include "apps/build_cache/build_sources.hpp"

#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace duomap::test::apps_build_cache_build_sources_test {
namespace {

using namespace duomap::apps;

// A start of the build so late that all files are older.
timespec much_later() {
  timespec now = file_clock();
  now.tv_sec += 3600;
  return now;
}

TEST_CASE("build_sources: what a compiler has read", "[build_cache]") {
  CHECK(parse_dependencies("main.o: main.cpp ./a.hpp \\\n  /b\\ c/d\\#.hpp e$$.hpp\n") ==
        std::vector<std::string>{"main.cpp", "./a.hpp", "/b c/d#.hpp", "e$.hpp"});
  CHECK(parse_dependencies("main.o: \n").empty());
}

TEST_CASE("build_sources: bytes and stamps tell that a file has changed", "[build_cache]") {
  const temporary_folder with;
  const std::string header = with.write("a.hpp", "one"), own = with.write("own/b.hpp", "one");
  const auto text = text_of_sources({{header, own}, {}, {}, with.path("own"), much_later()});
  REQUIRE(text);
  CHECK(are_unchanged(*text));
  static_cast<void>(with.write("a.hpp", "two"));
  CHECK_FALSE(are_unchanged(*text));
  static_cast<void>(with.write("a.hpp", "one"));
  CHECK(are_unchanged(*text));
  static_cast<void>(with.write("own/b.hpp", "one"));  // the same content with another time
  CHECK_FALSE(are_unchanged(*text));
  CHECK_FALSE(are_unchanged("bytes " + header + "\n99999999999999999999\none\n"));
  CHECK_FALSE(are_unchanged("no list"));
}

TEST_CASE("build_sources: a file that is not older than the build may have been changed meanwhile",
          "[build_cache]") {
  const temporary_folder with;
  const timespec start = file_clock();
  const std::string header = with.write("a.hpp", "one");
  CHECK_FALSE(text_of_sources({{header}, {}, {}, "", start}));
  CHECK_FALSE(text_of_sources({{with.path("gone.hpp")}, {}, {}, "", much_later()}));
  REQUIRE(::mkfifo(with.path("pipe").c_str(), 0600) == 0);
  const auto of_pipe = text_of_sources({{with.path("pipe")}, {}, {}, "", much_later()});
  CHECK((!of_pipe || of_pipe->find("none") != std::string::npos));  // a pipe is never waited for
}

TEST_CASE("build_sources: a file that is written just before the build is older", "[build_cache]") {
  const temporary_folder with;
  for (int i = 0; i < 100; ++i) {
    // After somebody has read its time, a file gets its next time from the fine clock.
    const std::string header = with.write("a.hpp", std::to_string(i));
    REQUIRE(std::filesystem::last_write_time(header) != std::filesystem::file_time_type{});
    static_cast<void>(with.write("a.hpp", std::to_string(i + 1)));
    CHECK(text_of_sources({{header}, {}, {}, "", next_file_clock()}));
  }
}

TEST_CASE("build_sources: a header that would come before another one", "[build_cache]") {
  const temporary_folder with;
  const std::string task = with.write("task/task.hpp", ""), header = with.write("second/sub/a.hpp", "one");
  std::filesystem::create_directory(with.path("first"));
  const std::vector<std::string> folders{with.path("first"), with.path("second")};
  const auto read = [&] {
    return text_of_sources({{task, header, "/usr/include/stdio.h"}, {}, folders, "", much_later()});
  };
  for (const std::string earlier : {"first/sub/a.hpp", "task/sub/a.hpp", "first/stdio.h"}) {
    INFO(earlier);
    const auto before = read();
    REQUIRE(before);
    CHECK(are_unchanged(*before));
    static_cast<void>(with.write(earlier, "two"));
    CHECK_FALSE(are_unchanged(*before));
  }
}

}  // namespace
}  // namespace duomap::test::apps_build_cache_build_sources_test
