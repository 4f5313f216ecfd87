// Tests the format, the columns and the types that the first rows of JSON Lines tell.
#include "apps/tasks/table/json_layout.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_json_layout_test {
namespace {

using namespace duomap::apps;

grouping json_sums(const std::vector<std::string>& by, const std::vector<std::string>& columns) {
  grouping asked;
  asked.by = by;
  for (const std::string& one : columns) asked.aggregates.push_back({aggregate_kind::sum, one});
  return asked;
}

table_layout layout_of(const std::string& text, const grouping& asked, bool whole = true, bool only = true) {
  return find_table_layout(byte_view(text), whole, "t.jsonl", asked, only);
}

bool is_json(const std::string& text, const grouping& asked = json_sums({"1"}, {}), bool whole = true) {
  return is_json_lines(sample_of(byte_view(text), whole), asked);
}

number_type type_of(const std::string& values) {
  std::string text;
  for (std::size_t begin = 0; begin < values.size();) {
    const std::size_t end = std::min(values.find(' ', begin), values.size());
    text += "{\"v\":" + values.substr(begin, end - begin) + "}\n";
    begin = end + 1;
  }
  return layout_of(text, json_sums({"v"}, {"v"})).plan.types[0];
}

}  // namespace

TEST_CASE("JSON layout: the first line tells the format, unless the user does") {
  CHECK(is_json("{}\n"));
  CHECK(is_json("\n \t\n  {\"a\":1} \r\n"));
  CHECK(is_json("\xEF\xBB\xBF{\"a\":1}"));
  CHECK_FALSE(is_json("a,b\n{},{}\n"));
  CHECK_FALSE(is_json("{a,b\n"));
  CHECK_FALSE(is_json("a,b}\n"));
  CHECK_FALSE(is_json(""));
  CHECK(is_json("{\"a\":\"a line that goes on", json_sums({"a"}, {}), false));
  CHECK_FALSE(is_json("{\"a\":\"a line that goes on", json_sums({"a"}, {})));
  grouping asked = json_sums({"1"}, {});
  asked.format = row_format::json_lines;
  CHECK(is_json("a,b\n", asked));
  CHECK_NOTHROW(require_format_alone(asked));
  asked.header = false;
  CHECK_THROWS_WITH(require_format_alone(asked), contains("--header is for delimited text"));
  asked.format = row_format::delimited;
  CHECK_FALSE(is_json("{}\n", asked));
  asked.format.reset();
  CHECK_FALSE(is_json("{}\n", asked));
  grouping any;
  set_format(any, "jsonl");
  CHECK(any.format == row_format::json_lines);
  set_format(any, "lighttpd");
  CHECK(any.format == row_format::web_log);
  CHECK(any.log_host == log_host_place::second);
  set_format(any, "auto");
  CHECK(any.format == std::nullopt);
  CHECK(any.log_host == log_host_place::none);
  CHECK_THROWS_AS(set_format(any, "json"), usage_error);
}

TEST_CASE("JSON layout: a column is read once, whatever reads it") {
  grouping asked = json_sums({"a", "u.id"}, {"v", "u.id"});
  asked.where = "v > 0 and w is null";
  const column_plan plan = layout_of("{\"a\":1,\"u\":{\"id\":2},\"v\":0.5,\"w\":null}\n", asked).plan;
  CHECK(plan.format == row_format::json_lines);
  CHECK(plan.members.columns == 4);
  CHECK(plan.reads() == 6);
  std::string order;
  for (unsigned i = 0; i < plan.reads(); ++i)
    order += std::to_string(plan.columns[i].field) + "kvc"[static_cast<int>(plan.columns[i].use)] + " ";
  CHECK(order == "0k 1k 1v 2v 2c 3c ");
}

TEST_CASE("JSON layout: the narrowest type of the first rows") {
  CHECK(type_of("1 -2 null") == number_type{});
  CHECK(type_of("1 2.50 0.125") == number_type{.scale = 3});
  CHECK(type_of("1 2e3") == number_type{.real = true});
  CHECK(type_of("12345678901234567890") == number_type{.real = true});
  // Rows that cannot be read tell nothing.
  CHECK(type_of("\"1.5\" true [0.5] 7") == number_type{});
  CHECK(type_of("1.x 2") == number_type{});
}

TEST_CASE("JSON layout: a column that no row has is an error only if the rows are all rows") {
  const std::string text = "{\"a\":1,\"b c\":{\"d\":[{\"e\":1}]},\"f\\\"\":\":\"}\n{\"a\":2,\"g\":null}\n";
  CHECK_THROWS_WITH(layout_of(text, json_sums({"x"}, {})),
                    contains("'t.jsonl' has no row with the member 'x'; its first row has: a, b c, f\\\""));
  CHECK(layout_of(text, json_sums({"g"}, {})).warnings.empty());
  for (const bool whole : {false, true}) {
    const table_layout found = layout_of(text, json_sums({"a"}, {"x"}), whole, !whole);
    CHECK(found.warnings == std::vector<std::string>{"the first 2 rows of 't.jsonl' have no member 'x'"});
    CHECK(found.plan.types[0] == number_type{});
  }
  CHECK(layout_of("{\n",
                  [] {
                    grouping asked = json_sums({"x"}, {});
                    asked.format = row_format::json_lines;
                    return asked;
                  }())
            .warnings.empty());
}

}  // namespace duomap::test::apps_tasks_table_json_layout_test
