// Tests the texts of functions that make keys.
#include "apps/tasks/table/parse_key_function.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_parse_key_function_test {

using namespace duomap::apps;

TEST_CASE("calls of functions of keys have a column") {
  CHECK(column_of_key("day(time)") == "time");
  CHECK(column_of_key(" DAY ( my time ) ") == "my time");
  CHECK(column_of_key("left(a, b, 3)") == "a, b");
  CHECK(column_of_key("prefix(ip,24,48)") == "ip");
  CHECK(column_of_key("floor(f(x), 0.5)") == "f(x)");
  CHECK(column_of_key("time") == "time");
  CHECK(column_of_key("sum(price)") == "sum(price)");
  CHECK(column_of_key("day(time") == "day(time");
  CHECK(column_of_key("(time)") == "(time)");
  const key_function floor = parse_key_call("floor(x, 0.50)").value().function;
  CHECK(floor.width == 50);
  CHECK(floor.scale == 2);
  for (const char* const wrong :
       {"day()", "left(x)", "left(x, 0)", "left(x, 257)", "left(x, -1)", "left(, 3)", "prefix(ip)",
        "prefix(ip, 129)", "prefix(ip, 33, 48)", "prefix(ip, 24, x)", "floor(x)", "floor(x, 0)",
        "floor(x, -1)", "floor(x, 1e3)", "floor(x, y)", "floor(x, 0.1234567890123456789)"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_key_call(wrong), usage_error);
  }
}

TEST_CASE("commas within parentheses do not split a list") {
  using list = std::vector<std::string>;
  CHECK(join_calls({"day(time)", "prefix(ip", " 24)", "x"}) == list{"day(time)", "prefix(ip, 24)", "x"});
  CHECK(join_calls({"f(a(b", "c)", "d)"}) == list{"f(a(b,c),d)"});
  CHECK(join_calls({"a(", "b", "c"}) == list{"a(", "b", "c"});
  CHECK(join_calls({"a)", "b"}) == list{"a)", "b"});
}

TEST_CASE("only texts like calls are answered with the functions there are") {
  CHECK(hint_of_calls("week(time)").find("year, month, day, hour, lower, upper, left, prefix and floor") !=
        std::string::npos);
  CHECK(hint_of_calls("time").empty());
}

}  // namespace duomap::test::apps_tasks_table_parse_key_function_test
