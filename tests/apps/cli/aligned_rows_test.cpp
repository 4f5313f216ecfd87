// Tests how rows are aligned in columns.
#include "apps/cli/aligned_rows.hpp"

#include "tests/catch.hpp"

namespace duomap::apps::apps_cli_aligned_rows_test {

TEST_CASE("columns are aligned, numbers to the right", "[apps]") {
  CHECK(aligned_rows("").empty());
  CHECK(aligned_rows("the\t12345\ncaf\xc3\xa9s\t7\n") == "the    12345\ncaf\xc3\xa9s      7\n");
  CHECK(aligned_rows("a.txt\t10\twhale\nlonger.txt\t7\tsea\n") ==
        "a.txt       10  whale\nlonger.txt   7  sea\n");
  // Keys that are numbers, empty cells, and doubles.
  CHECK(aligned_rows("1\t-2.5\n10\t1e300\n") == " 1   -2.5\n10  1e300\n");
  CHECK(aligned_rows("\t1\nab\t22\n") == "     1\nab  22\n");
}

TEST_CASE("a terminal obeys no byte of a key", "[apps]") {
  CHECK(aligned_rows("\x1b[2J\t1\n") == "\\x1b[2J  1\n");
}

}  // namespace duomap::apps::apps_cli_aligned_rows_test
