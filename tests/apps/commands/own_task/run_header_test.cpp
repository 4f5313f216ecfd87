// Tests apps/commands/own_task, the parts of `duomap run HEADER`, without the compiler
// (tests/cli/own_header.py tests it).
#include "apps/commands/own_task/become_task.hpp"
#include "apps/commands/own_task/cuda_folder.hpp"
#include "apps/commands/own_task/file_text.hpp"
#include "apps/commands/own_task/toolkit.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace duomap::test::apps_commands_own_task_run_header_test {
namespace {

using namespace duomap::apps;
TEST_CASE("own_task: headers have a dot or a slash in their paths", "[own_task]") {
  CHECK(is_header("task.hpp"));
  CHECK(is_header("./task"));
  CHECK_FALSE(is_header("wordcount"));
  CHECK_FALSE(is_header("--limit=./x"));
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
  const temporary_folder with;
  const std::string here = with.path("cuda");
  std::filesystem::create_directories(here + "/bin");
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

}  // namespace
}  // namespace duomap::test::apps_commands_own_task_run_header_test
