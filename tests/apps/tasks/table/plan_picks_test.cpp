// Tests the picks that are planned for the aggregates of a grouping.
#include "apps/tasks/table/plan_picks.hpp"

#include "apps/tasks/table/parse_picks.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_plan_picks_test {
namespace {

using namespace duomap::apps;
using enum aggregate_kind;

grouping asking(std::vector<aggregate> aggregates) {
  grouping asked;
  asked.by = {"k"};
  asked.aggregates = std::move(aggregates);
  return asked;
}

}  // namespace

TEST_CASE("planned picks: aggregates of the same rows share a pick") {
  const grouping asked = asking({{first, "a"},
                                 {greatest, "n"},
                                 {first, "b"},
                                 {argmax, "a", {}, "n", 2},
                                 {last, "b"},
                                 {argmax, "a", {}, "n"},
                                 {any, "b"},
                                 {argmax, "b", {}, "m"}});
  CHECK(asked.value_columns() == std::vector<std::string>{"n", "m"});
  CHECK(asked.picked_columns() == std::vector<std::string>{"a", "b"});
  const pick_plan plan = plan_picks(asked);
  CHECK(plan.count == 5);
  CHECK(plan.rows == 6);
  CHECK(picked_row_of(asked) == std::vector<unsigned>{0, 0, 0, 2, 3, 1, 4, 5});
  CHECK(picked_column_of(asked) == std::vector<unsigned>{0, 0, 1, 0, 1, 0, 1, 1});
  CHECK(plan.picks[1].order == pick_order::greatest);
  CHECK(plan.picks[1].by == 0);
  CHECK(plan.picks[4].by == 1);
  CHECK(plan.picks[4].column == 1);
  CHECK(!plan.picks[0].skips_missing);
  CHECK(plan.picks[3].skips_missing);
}

TEST_CASE("planned picks: a declared type makes a picked column one of numbers") {
  grouping asked = asking({{first, "a"}});
  CHECK(asked.value_columns().empty());
  asked.types.emplace_back("a", number_type{});
  CHECK(asked.value_columns() == std::vector<std::string>{"a"});
}

TEST_CASE("planned picks: limits") {
  grouping asked = asking({});
  for (const char* const column : {"a", "b", "c", "d"}) {
    for (const aggregate& one : parse_best_rows(argmin, column, "n:16", ':', ""))
      asked.aggregates.push_back(one);
  }
  CHECK(plan_picks(asked).rows == most_picked_rows);
  asked.aggregates.push_back({last, "a"});
  CHECK_THROWS_AS(plan_picks(asked), usage_error);
  asked = asking({});
  for (unsigned i = 0; i < most_picks; ++i) asked.aggregates.push_back({any, std::to_string(i)});
  CHECK(plan_picks(asked).count == most_picks);
  asked.aggregates.push_back({any, "one more"});
  CHECK_THROWS_AS(plan_picks(asked), usage_error);
}

}  // namespace duomap::test::apps_tasks_table_plan_picks_test
