// Tests which line ends of a table are changed, wherever the pieces of its text are cut.
#include "apps/tasks/table/line_changer.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace duomap::test::apps_tasks_table_line_changer_test {
namespace {

using namespace duomap::apps;

struct changed_text {
  std::string text;  // with | for joined line feeds
  bool is_open;
  bool is_loose;
};

changed_text changed(std::string text, const line_rules& rules, std::size_t piece) {
  line_changer changer(rules);
  for (std::size_t at = 0; at < text.size(); at += piece)
    changer.change(text.data() + at, std::min(piece, text.size() - at));
  std::ranges::replace(text, '\xFF', '|');
  return {text, changer.is_open(), changer.is_loose()};
}

void check(const line_rules& rules, const std::string& text, const std::string& expected,
           bool is_open = false, bool is_loose = false) {
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const changed_text found = changed(text, rules, piece);
    CHECK(found.text == expected);
    CHECK(found.is_open == is_open);
    CHECK(found.is_loose == is_loose);
  }
}

}  // namespace

TEST_CASE("line changer: line feeds inside quotes are joined, others are not") {
  const line_rules joining{.joins_lines = true};
  check(joining, "a,\"b\nc\"\nd\n", "a,\"b|c\"\nd\n");
  check(joining, "\"a\"\"\n\"\"b\",1\r\n\"\n\",2\r\n", "\"a\"\"|\"\"b\",1\r\n\"|\",2\r\n");
  check(joining, "5\" x,1\n6\" y,2\n", "5\" x,1\n6\" y,2\n");       // a quote inside a field quotes nothing
  check(joining, "\"a\" \"b,\n\",c\n", "\"a\" \"b,\n\",c|", true);  // nor does one behind a field
  check(joining, "a,\"\",\"\"\nb\n", "a,\"\",\"\"\nb\n");
  check(joining, "\"a\nb\"x,1\n", "\"a|b\"x,1\n", false, true);
  check(joining, "\"a\nb", "\"a|b", true);
  check({.delimiter = ';', .quote = '\'', .joins_lines = true}, "a;'b\n;c';\"\n", "a;'b|;c';\"\n");
  check({.comment = '#', .joins_lines = true}, "#\"\n\"a\n#\"\n# x,\"\nb\n", "#\"\n\"a|#\"\n# x,\"\nb\n");
}

TEST_CASE("line changer: carriage returns outside quotes end lines") {
  check({.joins_lines = true, .ends_at_returns = true}, "a,\"b\r\nc\"\rd\r\r", "a,\"b\r|c\"\nd\n\n");
  check({.comment = '#', .joins_lines = true, .ends_at_returns = true}, "#\"\ra,\"b\r\"\r",
        "#\"\na,\"b\r\"\n");
  check({.quote = '\0', .ends_at_returns = true}, "\"a\r\"b\nc\r", "\"a\n\"b\nc\n");
  check({.ends_at_returns = true}, "\"a\r\nb\r\"", "\"a\r\nb\n\"",
        true);  // without joined lines a row ends here
}

TEST_CASE("line changer: the first line end shows which kind a text has") {
  CHECK(lines_end_at_returns("a,b\rc", '"'));
  CHECK(lines_end_at_returns("\"a\n\",b\rc", '"'));
  CHECK_FALSE(lines_end_at_returns("\"a\rb\"\r\nc", '"'));
  CHECK_FALSE(lines_end_at_returns("a\nb\rc", '"'));
  CHECK_FALSE(lines_end_at_returns("a\r", '"'));
  CHECK(lines_end_at_returns("\"a\rb\"\r\nc", '\0'));
  CHECK_FALSE(lines_end_at_returns("", '"'));
}

}  // namespace duomap::test::apps_tasks_table_line_changer_test
