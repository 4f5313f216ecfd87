// Tests that a change of a file is noticed if it happens between opening and the end of reading.
#include "core/input/file_state.hpp"

#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/input/input.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <string>
#include <utility>

namespace duomap::test::core_input_file_state_test {

namespace {

/// Writes `before`, opens the file, writes `after`, reads it once. Returns the change that the source
/// reports.
std::string change_before_reading(const std::string& before, const std::string& after) {
  const test::temporary_folder folder;
  const input opened = open_input({folder.write("file", before)}, input_content::stored);
  folder.write("file", after);
  const source& file = opened[0];
  if (!file.addressable()) test::drain(*file.open(nullptr), 4096);  // torture builds map even small files
  return file.change();
}

}  // namespace

TEST_CASE("a file that was rewritten before it is read is refused", "[input][file_state]") {
  for (const std::size_t size : {1U, 100U, 10'000U}) {
    const std::string before(size, 'a');
    CHECK_THROWS_WITH(change_before_reading(before, std::string(size + 1, 'b')), contains("was rewritten"));
    CHECK_THROWS_WITH(change_before_reading(before, "b" + before), contains("was rewritten"));
    CHECK_THROWS_WITH(change_before_reading(before, before.substr(1)), contains("was cut from"));
  }
}

TEST_CASE("a file that grew before it is read says so", "[input][file_state]") {
  for (const std::size_t size : {1U, 100U, 10'000U}) {
    const std::string before(size, 'a');
    CHECK_THAT(change_before_reading(before, before + "bc"), contains("grew by 2 bytes"));
  }
}

TEST_CASE("a file that is rewritten between its first bytes and its mapping is refused",
          "[input][file_state]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", std::string(1000, 'a'));
  const file_descriptor file = open_for_reading(path);
  file_state stamp(file.get(), path);
  stamp.keep_first(std::string(256, 'a'));
  folder.write("file", std::string(2000, 'b'));
  CHECK_THROWS_WITH(stamp.keep_ends(file.get()), contains("was rewritten"));
}

}  // namespace duomap::test::core_input_file_state_test
