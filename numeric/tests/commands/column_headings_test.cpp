// Tests the names of an output's columns that stand for columns of an input.
#include "numeric/commands/column_headings.hpp"

#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace duomap::test::numeric_commands_column_headings_test {

using apps::column_headings;
using names = std::vector<std::string>;

TEST_CASE("a column keeps its name whatever the others are called", "[apps]") {
  CHECK(column_headings({"size"}, {"x", "y"}, 2, "d") == names{"size", "x", "y"});
  CHECK(column_headings({"size"}, {}, 2, "d") == names{"size", "d1", "d2"});
  CHECK(column_headings({"size"}, {"", "y"}, 2, "d") == names{"size", "d1", "y"});
  CHECK(column_headings({"size"}, {"x", "x", "size"}, 3, "d") == names{"size", "x", "d2", "d3"});
  CHECK(column_headings({}, {"a\"b", "\xff", "tab\there"}, 3, "d") == names{"a\"b", "d2", "tab\there"});
}

TEST_CASE("no two columns have one name", "[apps]") {
  CHECK(column_headings({"d1"}, {"", "d1_2"}, 2, "d") == names{"d1", "d1_3", "d1_2"});
  CHECK(column_headings({}, {"d2", "d2", "d2"}, 3, "d") == names{"d2", "d2_2", "d3"});
}

}  // namespace duomap::test::numeric_commands_column_headings_test
