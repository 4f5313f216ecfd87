// Tests that a temporary file goes away with its owner or when a signal ends the process, and never
// otherwise.
#include "core/output/pending_file.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"
#include "tests/support/own_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace duomap::core_output_pending_file_test {

TEST_CASE("a pending file is removed unless it was renamed", "[core][output]") {
  const test::temporary_folder folder;
  { const pending_file file(folder.write("a", "1")); }
  CHECK(test::names_in(folder.path()).empty());
  {
    pending_file file(folder.write("a", "1"));
    file.rename_to(folder.path("b"));
    CHECK(test::content(folder.path("b")) == "1");
  }
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"b"});
}

TEST_CASE("a rename that fails leaves nothing", "[core][output]") {
  const test::temporary_folder folder;
  {
    pending_file file(folder.write("a", "1"));
    CHECK_THROWS_WITH(file.rename_to(folder.path("missing/b")), test::contains("missing/b': No such file"));
  }
  CHECK(test::names_in(folder.path()).empty());
}

TEST_CASE("a process that ends removes its pending files only", "[core][output]") {
  const test::temporary_folder folder;
  folder.write("bystander", "0");
  const test::child_end end = test::in_child([&] {
    const pending_file first(folder.write("first", "1"));
    pending_file renamed(folder.write("second", "2"));
    renamed.rename_to(folder.path("kept"));
    { const pending_file gone(folder.write("third", "3")); }
    // Another program's file may take the name of a former pending file, and must stay.
    folder.write("third", "4");
    const pending_file last(folder.write("last", "5"));
    ::_exit(remove_pending_files() ? 7 : 8);
  });
  CHECK(end.status == 7);
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"bystander", "kept", "third"});
}

TEST_CASE("own process: pending files when a library calls exit", "[.][own-process]") {
  const char* const folder = std::getenv("DUOMAP_TEST_FOLDER");
  REQUIRE(folder != nullptr);
  const auto in_folder = [&](const char* name) {
    const std::string path = std::string(folder) + "/" + name;
    std::ofstream(path) << name;
    return path;
  };
  static const pending_file& never_destroyed = *new pending_file(in_folder("first"));
  static_cast<void>(never_destroyed);
  static const pending_file destroyed_by_exit(in_folder("second"));
  const pending_file on_the_stack(in_folder("third"));
  if (::fork() == 0) std::exit(0);  // a child process must not remove its parent's files
  ::wait(nullptr);
  std::exit(std::filesystem::exists(on_the_stack.path()) ? 7 : 8);
}

TEST_CASE("pending files are removed when a library calls exit", "[core][output]") {
  const test::temporary_folder folder;
  REQUIRE(::setenv("DUOMAP_TEST_FOLDER", folder.path("").c_str(), 1) == 0);
  const auto ended = test::run_in_own_process("own process: pending files when a library calls exit");
  INFO(ended.output);
  CHECK(ended.status == 7);
  CHECK(test::names_in(folder.path()).empty());
}

TEST_CASE("more pending files than slots are still removed by their owners", "[core][output]") {
  const test::temporary_folder folder;
  {
    std::vector<std::unique_ptr<pending_file>> files;
    for (int i = 0; i < 40; ++i) {
      files.push_back(std::make_unique<pending_file>(folder.write("f" + std::to_string(i), "x")));
    }
    files[35]->rename_to(folder.path("kept"));
    CHECK(test::names_in(folder.path()).size() == 40);
  }
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"kept"});
}

}  // namespace duomap::core_output_pending_file_test
