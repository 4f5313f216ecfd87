// Tests the values of picked rows: from bytes in memory and from streams, their types, and changed tables.
#include "apps/tasks/table/picked_values.hpp"

#include "apps/tasks/table/group_rows.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/threaded_pool.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::apps_tasks_table_picked_values_test {
namespace {

using namespace duomap::apps;

column_plan plan_of_table() {
  column_plan plan;
  plan.picked = 2;
  plan.columns[0] = {0, 1, column_use::picked};
  plan.columns[1] = {2, 0, column_use::picked};
  return plan;
}

grouping asking() {
  grouping asked;
  asked.aggregates = {{aggregate_kind::first, "c"}, {aggregate_kind::first, "a"}};
  return asked;
}

picked_values values_of(const input& tables, const std::vector<wanted_value>& wanted) {
  threaded_pool pool(2);
  return {wanted, tables, plan_of_table(), asking(), pool, nullptr};
}

std::string text_at(const picked_values& values, std::int64_t place, unsigned column) {
  std::string text;
  const cell found = values.value({0, place}, column, text);
  if (const auto* const bytes = std::get_if<byte_view>(&found)) return std::string(bytes->text());
  if (const auto* const whole = std::get_if<std::int64_t>(&found)) return "number " + std::to_string(*whole);
  return std::holds_alternative<missing_cell>(found) ? "missing" : "double";
}

}  // namespace

TEST_CASE("picked values come from every kind of source") {
  sample tables{"table", {}, 0};
  std::vector<wanted_value> wanted;
  std::vector<std::pair<std::string, std::string>> right;
  for (std::uint32_t s = 0; s < 3; ++s) {
    std::string text;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      const std::string a = std::to_string(s * 10'000 + i);
      const std::string c = std::string(i % 50, 'x') + "\"," + a;
      if (i % 3 == 0) {
        for (const std::uint32_t column : {1u, 0u}) wanted.push_back({row_place(s, text.size()), column});
        right.emplace_back(c, "number " + a);
      }
      text += a + ",\"b,b\",\"" + std::string(i % 50, 'x') + "\"\"," + a + "\"" +
              (i + 1 == 3000 ? ""
               : i % 2 == 0  ? "\r\n"
                             : "\n");
    }
    tables.parts.push_back(text);
  }
  for (const layout form : {layout::addressable, layout::streamed, layout::alternating}) {
    const picked_values values = values_of(make_input(tables, form), wanted);
    CHECK(values.is_text(0));
    CHECK(!values.is_text(1));
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const std::int64_t place = wanted[2 * i].place;
      wrong += text_at(values, place, 0) != right[i].first || text_at(values, place, 1) != right[i].second;
      wrong += values.order({0, place}, 0).has_value() || !values.order({0, place}, 1).has_value();
    }
    CHECK(wrong == 0);
    CHECK(text_at(values, picked_row::no_place, 0) == "missing");
  }
}

TEST_CASE("picked values: only values that are wanted decide the type") {
  const input tables = text_input("1,,x\n2,, \n03,,7\n");
  const picked_values values = values_of(tables, {{0, 1}, {5, 0}, {5, 1}, {10, 0}});
  CHECK(text_at(values, 0, 1) == "number 1");
  CHECK(text_at(values, 5, 0) == "missing");
  CHECK(text_at(values, 10, 0) == "number 7");
  CHECK(values.order({0, 10}, 0) == 7.0L);
  CHECK(!values.order({0, 5}, 0));
  CHECK(values_of(tables, {{0, 1}, {10, 1}}).is_text(1));  // 03 is a code
  CHECK(values_of(tables, {}).is_text(0) == false);
}

TEST_CASE("picked values: a table that has changed") {
  for (const layout form : {layout::addressable, layout::streamed}) {
    const input tables = make_input({"table", {"1,2,3\n4\n"}, 0}, form);
    CHECK_NOTHROW(values_of(tables, {{0, 0}, {6, 1}}));
    CHECK_THROWS_WITH(values_of(tables, {{6, 0}}), contains("'table 0' has changed"));
    CHECK_THROWS_AS(values_of(tables, {{8, 0}}), input_error);
    CHECK_THROWS_AS(values_of(tables, {{100, 0}}), input_error);
    CHECK_THROWS_AS(require_rows_again(make_input({"table", {"1\n"}, 0}, layout::streamed), asking()),
                    usage_error);
    CHECK_NOTHROW(require_rows_again(text_input("1\n"), asking()));
  }
}

}  // namespace duomap::test::apps_tasks_table_picked_values_test
