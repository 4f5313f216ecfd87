// Tests reading a small file as a whole, and its lines.
#include "cpu/small_file.hpp"

#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::cpu_small_file_test {

TEST_CASE("a small file is read to its end, and one that is not there is empty", "[cores]") {
  const temporary_folder root;
  const std::string text(10'000, 'x');
  root.write("file", text);
  CHECK(cpu::read_small_file(root.path() + "/file") == text);
  CHECK(cpu::read_small_file(root.path() + "/none").empty());
  CHECK(cpu::read_small_file(root.path()).empty());
}

TEST_CASE("lines are taken off a text, the last one with or without its end", "[cores]") {
  for (const std::string_view text : {"one\n\ntwo\n", "one\n\ntwo"}) {
    std::vector<std::string_view> lines;
    for (std::string_view rest = text; !rest.empty();) lines.push_back(cpu::take_line(rest));
    CHECK(lines == std::vector<std::string_view>{"one", "", "two"});
  }
}

}  // namespace duomap::test::cpu_small_file_test
