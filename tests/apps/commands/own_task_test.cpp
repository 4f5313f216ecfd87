// What `duomap run HEADER` is made of, but for the compiler (tests/cli/own_header.py).
#include "apps/commands/own_task/become_task.hpp"
#include "apps/commands/own_task/compile_task.hpp"
#include "apps/commands/own_task/cuda_folder.hpp"
#include "apps/commands/own_task/file_text.hpp"
#include "apps/commands/own_task/task_cache.hpp"
#include "apps/commands/own_task/toolkit.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace duomap::test::apps_commands_own_task_test {
namespace {

using namespace duomap::apps;
namespace files = std::filesystem;

// A cache in a folder that is removed with it.
struct small_cache {
  files::path above = files::temp_directory_path() / ("duomap-test-" + std::to_string(::getpid()));
  task_cache cache{above / "tasks"};
  small_cache() { files::create_directories(above); }
  ~small_cache() { files::remove_all(above); }

  // An entry whose program takes `bytes`.
  std::string keep(const std::string& name, const std::string& header, std::uint64_t bytes = 1) {
    const files::path folder = cache.make_folder();
    write_file_text((folder / "program").string(), "");
    files::resize_file(folder / "program", bytes);
    write_file_text((folder / "sources").string(), text_of_sources({header}));
    write_file_text((folder / "identity").string(), "me");
    return cache.keep(folder, name);
  }
  std::string header(const std::string& name, const std::string& text) {
    write_file_text((above / name).string(), text);
    return (above / name).string();
  }
};

TEST_CASE("own_task: headers have a dot or a slash in their paths", "[own_task]") {
  CHECK(is_header("task.hpp"));
  CHECK(is_header("./task"));
  CHECK_FALSE(is_header("wordcount"));
  CHECK_FALSE(is_header("--limit=./x"));
}

TEST_CASE("own_task: what a compiler has read", "[own_task]") {
  CHECK(parse_dependencies("main.o: main.cpp ./a.hpp \\\n  /b\\ c/d\\#.hpp e$$.hpp\n") ==
        std::vector<std::string>{"main.cpp", "./a.hpp", "/b c/d#.hpp", "e$.hpp"});
  CHECK(parse_dependencies("main.o: \n").empty());
}

TEST_CASE("own_task: the toolkit's file", "[own_task]") {
  const task_toolkit kit = parse_toolkit(
      "compiler /usr/bin/c++\nflag -O3\nflag -DA=1\ninclude {prefix}/include\nlink {prefix}/lib/x.a\nlink "
      "-lz\n",
      "/opt", find_cuda);
  CHECK(kit.compiler == "/usr/bin/c++");
  CHECK(kit.flags == std::vector<std::string>{"-O3", "-DA=1"});
  CHECK(kit.include == "/opt/include");
  CHECK(kit.link == std::vector<std::string>{"/opt/lib/x.a", "-lz"});
  CHECK(kit.nvcc.empty());
  CHECK_THROWS_AS(parse_toolkit("colour red\n", "", find_cuda), error);
}

TEST_CASE("own_task: CUDA is where this machine has it", "[own_task]") {
  const small_cache with;
  const std::string here = (with.above / "cuda").string();
  files::create_directories(here + "/bin");
  write_file_text(here + "/bin/nvcc", "");
  CHECK(find_cuda(here) == here);
  const task_toolkit kit = parse_toolkit("cuda /built/there\nnvcc {cuda}/bin/nvcc\nlink -L{cuda}/lib64\n", "",
                                         [&](const std::string& built_with) {
                                           CHECK(built_with == "/built/there");
                                           return here;
                                         });
  CHECK(kit.nvcc == here + "/bin/nvcc");
  CHECK(kit.link == std::vector<std::string>{"-L" + here + "/lib64"});
}

TEST_CASE("own_task: a program is found while nothing has changed", "[own_task]") {
  small_cache with;
  const std::string header = with.header("a.hpp", "one");
  CHECK(with.cache.find("a", "me").empty());
  const std::string program = with.keep("a", header);
  CHECK(with.cache.find("a", "me") == program);
  CHECK(with.cache.find("b", "me").empty());
  CHECK(with.cache.find("a", "another compiler").empty());
  static_cast<void>(with.header("a.hpp", "two"));
  CHECK(with.cache.find("a", "me").empty());
  static_cast<void>(with.header("a.hpp", "one"));
  CHECK(with.cache.find("a", "me") == program);
  write_file_text((with.cache.folder() / "a/sources").string(), header + "\n99999999999999999999\none\n");
  CHECK(with.cache.find("a", "me").empty());
}

TEST_CASE("own_task: programs that were not used for longest make room", "[own_task]") {
  small_cache with;
  const std::string header = with.header("a.hpp", "one");
  static_cast<void>(with.keep("old", header, task_cache::most_bytes / 2));
  static_cast<void>(with.keep("older", header, task_cache::most_bytes / 2 - 1000));
  const auto set_use = [&](const std::string& name, int hours_ago) {
    files::last_write_time(with.cache.folder() / name / "sources",
                           files::file_time_type::clock::now() - std::chrono::hours(hours_ago));
  };
  set_use("old", 1);
  set_use("older", 2);
  static_cast<void>(with.keep("new", header, 2000));
  CHECK(with.cache.entries().size() == 2);
  CHECK(with.cache.find("older", "me").empty());
  REQUIRE_FALSE(with.cache.find("old", "me").empty());
  // One that is larger than all may be is kept alone.
  static_cast<void>(with.keep("huge", header, task_cache::most_bytes + 1));
  REQUIRE(with.cache.entries().size() == 1);
  CHECK(with.cache.entries()[0].header == header);
}

}  // namespace
}  // namespace duomap::test::apps_commands_own_task_test
