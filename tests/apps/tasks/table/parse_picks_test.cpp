// Tests the texts by which users ask for the best rows.
#include "apps/tasks/table/parse_picks.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_parse_picks_test {
namespace {

using namespace duomap::apps;

std::string headings(const std::string& column, const std::string& by) {
  std::string all;
  for (const aggregate& one : parse_best_rows(aggregate_kind::argmax, column, by, ':', "--argmax"))
    all += one.heading() + " ";
  return all;
}

}  // namespace

TEST_CASE("best rows: one row, or the first k") {
  CHECK(headings("name", "price") == "argmax(name,price) ");
  CHECK(headings("name", "price:1") == "argmax(name,price,1) ");
  CHECK(headings("name", "price:3") == "argmax(name,price,1) argmax(name,price,2) argmax(name,price,3) ");
}

TEST_CASE("best rows: a colon without digits behind it belongs to the column's name") {
  CHECK(headings("name", "a:b") == "argmax(name,a:b) ");
  CHECK(headings("name", "a:") == "argmax(name,a:) ");
  CHECK(headings("name", "a:b:2") == "argmax(name,a:b,1) argmax(name,a:b,2) ");
}

TEST_CASE("best rows: wrong texts") {
  for (const char* const by : {"", ":3", "price:0", "price:17", "price:99999999999"}) {
    CAPTURE(by);
    CHECK_THROWS_AS(headings("name", by), usage_error);
  }
  CHECK(parse_best_rows(aggregate_kind::argmin, "a", "b:16", ':', "").size() == 16);
  CHECK_THROWS_AS(headings("", "price"), usage_error);
}

}  // namespace duomap::test::apps_tasks_table_parse_picks_test
