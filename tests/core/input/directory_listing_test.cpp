// Tests which files below a directory are listed.
#include "core/input/directory_listing.hpp"

#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace duomap::test::core_input_directory_listing_test {

namespace fs = std::filesystem;

namespace {

using names = std::vector<std::string>;

/// The listed paths, relative to the folder; problems in angle brackets.
names listed(const test::temporary_folder& folder, std::string_view directory = {}) {
  names found;
  for (const listed_path& one : list_files_below(folder.path(directory))) {
    const std::string relative = fs::path(one.path).lexically_relative(folder.path()).native();
    found.push_back(one.problem.empty() ? relative : "<" + relative + ">");
  }
  return found;
}

}  // namespace

TEST_CASE("files are listed recursively in byte order of their paths", "[input][directory_listing]") {
  const test::temporary_folder folder;
  for (const char* const name : {"b", "a.txt", "a/z", "a/b/c", "a-1", "B", "\xc3\xa9", "a/y", "a b", "a\nb",
                                 "zz/deep/er/still/file"}) {
    folder.write(name, "x");
  }
  CHECK(listed(folder) == names{"B", "a\nb", "a b", "a-1", "a.txt", "a/b/c", "a/y", "a/z", "b",
                                "zz/deep/er/still/file", "\xc3\xa9"});
  CHECK(listed(folder, "a") == names{"a/b/c", "a/y", "a/z"});
}

TEST_CASE("names that start with a dot are left out below a directory", "[input][directory_listing]") {
  const test::temporary_folder folder;
  folder.write(".hidden", "x");
  folder.write(".git/config", "x");
  folder.write("seen/.hidden", "x");
  folder.write("seen/file", "x");
  CHECK(listed(folder) == names{"seen/file"});
  // A hidden directory is listed when the caller names it.
  CHECK(listed(folder, ".git") == names{".git/config"});
}

TEST_CASE("links to files are followed, links to directories are not", "[input][directory_listing]") {
  const test::temporary_folder folder;
  folder.write("data/file", "x");
  fs::create_directory(folder.path("links"));
  fs::create_symlink("../data/file", folder.path("links/to_file"));
  fs::create_symlink("../data", folder.path("links/to_directory"));
  fs::create_symlink(".", folder.path("links/cycle"));
  fs::create_symlink("data", folder.path("given"));
  CHECK(listed(folder, "links") == names{"links/to_file"});
  CHECK(listed(folder, "given") == names{"given/file"});
}

TEST_CASE("special files are left out, broken links are problems", "[input][directory_listing]") {
  const test::temporary_folder folder;
  folder.write("file", "x");
  REQUIRE(::mkfifo(folder.path("fifo").c_str(), 0600) == 0);
  fs::create_symlink("fifo", folder.path("to_fifo"));
  fs::create_symlink("/dev/null", folder.path("to_device"));
  CHECK(listed(folder) == names{"file"});
  fs::create_symlink("nowhere", folder.path("broken"));
  fs::create_symlink("loop", folder.path("loop"));
  CHECK(listed(folder) == names{"<broken>", "file", "<loop>"});
  const std::string problem = list_files_below(folder.path()).front().problem;
  CHECK_THAT(problem, test::contains("No such file or directory; it is a symbolic link to 'nowhere'"));
}

TEST_CASE("a directory without files lists nothing", "[input][directory_listing]") {
  const test::temporary_folder folder;
  fs::create_directories(folder.path("only/folders"));
  CHECK(listed(folder).empty());
}

TEST_CASE("a directory that cannot be listed is a problem", "[input][directory_listing]") {
  const test::temporary_folder folder;
  CHECK(listed(folder, "missing") == names{"<missing>"});
}

}  // namespace duomap::test::core_input_directory_listing_test
