// Tests the headings of columns, with the program's names or without.
#include "apps/cli/row_headings.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace duomap::apps::apps_cli_row_headings_test {

using names = std::vector<std::string>;

TEST_CASE("cells without a name are called key and value", "[apps]") {
  CHECK(row_headings({}, 1, 1) == names{"key", "value"});
  CHECK(row_headings({}, 0, 1) == names{"value"});
  CHECK(row_headings({}, 2, 3) == names{"key_1", "key_2", "value_1", "value_2", "value_3"});
}

TEST_CASE("names that a program gives come first", "[apps]") {
  CHECK(row_headings({"word"}, 1, 1) == names{"word", "value"});
  CHECK(row_headings({"a"}, 2, 2) == names{"a", "key_2", "value_1", "value_2"});
  CHECK(row_headings({"a", "b", "c"}, 2, 2) == names{"a", "b", "c", "value_2"});
  CHECK_THROWS_AS(row_headings({"a", "b", "c"}, 1, 1), usage_error);
}

}  // namespace duomap::apps::apps_cli_row_headings_test
