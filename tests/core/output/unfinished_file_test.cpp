// Tests that the next writer of a file removes the unfinished file of a killed process, and nothing else.
#include "core/output/unfinished_file.hpp"

#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <cerrno>
#include <filesystem>
#include <string>

namespace duomap::core_output_unfinished_file_test {

TEST_CASE("an unfinished file whose writer has ended is removed by the next", "[core][output]") {
  const test::temporary_folder folder;
  const std::string target = folder.path("result");
  std::string left;
  {
    unfinished_file killed = create_unfinished(target, 0600);
    left = killed.path();
    killed.release();
  }
  CHECK(test::names_in(folder.path()).size() == 1);
  const unfinished_file next = create_unfinished(target, 0600);
  CHECK(next.path() == left);
  CHECK(test::names_in(folder.path()).size() == 1);
}

TEST_CASE("an unfinished file whose writer gives up is removed", "[core][output]") {
  const test::temporary_folder folder;
  CHECK(create_unfinished(folder.path("result"), 0600).file);
  CHECK(test::names_in(folder.path()).empty());
}

TEST_CASE("an unfinished file whose writer lives stays", "[core][output]") {
  const test::temporary_folder folder;
  const std::string target = folder.path("result");
  const unfinished_file first = create_unfinished(target, 0600);
  const unfinished_file second = create_unfinished(target, 0600);
  REQUIRE(first.file);
  REQUIRE(second.file);
  CHECK(first.path() != second.path());
  CHECK(test::names_in(folder.path()).size() == 2);
}

TEST_CASE("what else has the name of an unfinished file stays", "[core][output]") {
  const test::temporary_folder folder;
  const std::string target = folder.path("result");
  const std::string name = create_unfinished(target, 0600).path();
  SECTION("a link") {
    std::filesystem::create_symlink(folder.write("other", "not ours"), name);
    CHECK(create_unfinished(target, 0600).file);
    CHECK(std::filesystem::is_symlink(name));
    CHECK(test::content(folder.path("other")) == "not ours");
  }
  SECTION("a folder") {
    std::filesystem::create_directory(name);
    CHECK(create_unfinished(target, 0600).file);
    CHECK(std::filesystem::is_directory(name));
  }
}

TEST_CASE("an unfinished file that cannot be made says why", "[core][output]") {
  const test::temporary_folder folder;
  errno = 0;
  CHECK_FALSE(create_unfinished(folder.path("missing/result"), 0600).file);
  CHECK(errno == ENOENT);
}

}  // namespace duomap::core_output_unfinished_file_test
