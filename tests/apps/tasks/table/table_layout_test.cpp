// Tests what the first lines of a table tell about its columns.
#include "apps/tasks/table/table_layout.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_table_layout_test {
namespace {

using namespace duomap::apps;

grouping sums(const std::vector<std::string>& by, const std::vector<std::string>& columns) {
  grouping asked;
  asked.by = by;
  for (const std::string& one : columns) asked.aggregates.push_back({aggregate_kind::sum, one});
  return asked;
}

column_plan plan_of(const std::string& text, const grouping& asked, bool whole = true) {
  return find_table_layout(byte_view(text), whole, "t.csv", asked).plan;
}

number_type type_of(const std::string& text) { return plan_of(text, sums({"1"}, {"2"})).types[0]; }

}  // namespace

TEST_CASE("table layout: the delimiter that the first line has most") {
  CHECK(plan_of("a,b\n1,2\n", sums({"a"}, {"b"})).delimiter == ',');
  CHECK(plan_of("a\tb,c\td\n", sums({"1"}, {})).delimiter == '\t');
  CHECK(plan_of("a;\"x,y,z,w\";b\n", sums({"1"}, {})).delimiter == ';');
  CHECK(plan_of("a|b\n", sums({"1"}, {})).delimiter == '|');
  CHECK(plan_of("alone\n1\n", sums({"1"}, {})).delimiter == '\n');
  grouping asked = sums({"1"}, {});
  asked.delimiter = ':';
  CHECK(plan_of("a,b:c,d\n", asked).delimiter == ':');
}

TEST_CASE("table layout: a header where columns are named, or where it alone has no number") {
  CHECK(plan_of("a,b\nx,y\n", sums({"a"}, {})).has_header);
  CHECK(plan_of("a,b\n1,2\n", sums({"1"}, {"2"})).has_header);
  CHECK_FALSE(plan_of("a,b\nx,y\n", sums({"1"}, {})).has_header);
  grouping where = sums({"1"}, {});
  where.where = "b = 'y'";
  CHECK(plan_of("a,b\nx,y\n", where).has_header);
  CHECK_FALSE(plan_of("a,1\nx,2\n", sums({"1"}, {"2"})).has_header);
  CHECK_FALSE(plan_of("a,b\n", sums({"1"}, {})).has_header);
  grouping asked = sums({"1"}, {"2"});
  asked.header = false;
  CHECK_FALSE(plan_of("a,b\n1,2\n", asked).has_header);
  const column_plan plan = plan_of("\n\r\na,\"b \"\"c\"\"\"\r\n1,2\r\n", sums({"a"}, {"b \"c\""}));
  CHECK(plan.columns[0].field == 0);
  CHECK(plan.columns[1].field == 1);
  CHECK(plan.header_hash == line_hash("a,\"b \"\"c\"\"\""));
}

TEST_CASE("table layout: columns stand in the order of their fields") {
  const column_plan plan = plan_of("a,b,c,d\n1,2,3,4\n", sums({"d", "b"}, {"c", "a", "c"}));
  CHECK(plan.keys == 2);
  CHECK(plan.values == 2);
  const auto order_of = [](const column_plan& found) {
    std::string order;
    for (unsigned i = 0; i < found.reads(); ++i)
      order += std::to_string(found.columns[i].field) + "kvc"[static_cast<int>(found.columns[i].use)] +
               std::to_string(found.columns[i].index) + " ";
    return order;
  };
  CHECK(order_of(plan) == "0v1 1k1 2v0 3k0 ");
  grouping asked = sums({"b"}, {"d"});
  asked.where = "c = 1 and (a = 'x' or d > 0)";
  CHECK(order_of(plan_of("a,b,c,d\n1,2,3,4\n", asked)) == "0c1 1k0 2c0 3v0 3c2 ");
}

TEST_CASE("table layout: the narrowest type of the first rows") {
  CHECK(type_of("a,1\nb,-2\nc,\n") == number_type{});
  CHECK(type_of("a,1\nb,2.50\nc,0.125\n") == number_type{.scale = 3});
  CHECK(type_of("a,1\nb,2e3\n") == number_type{.real = true});
  CHECK(type_of("a,1.0000000001\n") == number_type{.real = true});
  CHECK(type_of("a,12345678901234567890\n") == number_type{.real = true});
  CHECK(type_of("a,x\nb,1.5\n") == number_type{.scale = 1});
  CHECK(type_of("a,\"1.5\"\nb, 2 \n") == number_type{.scale = 1});
  grouping asked = sums({"1"}, {"2"});
  asked.types = {{"2", {.real = true}}};
  CHECK(plan_of("a,1\n", asked).types[0].real);
  // An incomplete last line tells nothing.
  CHECK(plan_of("a,1\nb,2.5", sums({"1"}, {"2"}), false).types[0] == number_type{});
  CHECK(parse_number_type("decimal(4)") == number_type{.scale = 4});
  for (const std::string wrong : {"", "decimal()", "decimal(19)", "decimal(-1)", "int"})
    CHECK_THROWS_AS(parse_number_type(wrong), usage_error);
}

TEST_CASE("table layout: what cannot be is refused by name") {
  CHECK_THROWS_WITH(plan_of("a,b\n", sums({"c"}, {})), contains("'t.csv' has no column 'c'; it has 2: a, b"));
  CHECK_THROWS_WITH(plan_of("a,a\n", sums({"a"}, {})), contains("several columns called 'a'"));
  CHECK_THROWS_WITH(plan_of("a:b\n", sums({"2"}, {})), contains("--delimiter"));
  CHECK_THROWS_WITH(plan_of("1,2\n", sums({"3"}, {})), contains("without names"));
  CHECK_THROWS_AS(plan_of("", sums({"1"}, {})), input_error);
  CHECK_THROWS_AS(plan_of("\n\r\n", sums({"1"}, {})), input_error);
  CHECK(plan_of("\"a\rb\",c\r\n1,2\n", sums({"c"}, {})).has_header);
  CHECK_THROWS_WITH(plan_of("a\n", sums(std::vector<std::string>(9, "1"), {})),
                    contains("at most 8 columns, not 9"));
  std::vector<std::string> many;
  for (unsigned i = 1; i <= 17; ++i) many.push_back(std::to_string(i));
  CHECK_THROWS_WITH(plan_of("a\n", sums({"1"}, many)), contains("at most 16 columns"));
  grouping asked = sums({"1"}, {"2"});
  asked.types = {{"1", {}}};
  CHECK_THROWS_WITH(plan_of("1,2\n", asked), contains("no aggregate reads it"));
  grouping where = sums({"1"}, {});
  where.where = "c = 1";
  CHECK_THROWS_WITH(plan_of("a,b\n", where), contains("has no column 'c'"));
  CHECK_THROWS_WITH(plan_without_table(sums({"1"}, {"2"})), contains("--types 2="));
}

}  // namespace duomap::test::apps_tasks_table_table_layout_test
