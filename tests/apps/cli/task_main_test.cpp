// Tests the rows that a user's own task program writes.
#include "apps/cli/task_main.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace duomap::test::apps_cli_task_main_test {
namespace {

struct pair_of {
  std::uint32_t count;
  double sum;
};

TEST_CASE("task_main: rows by the first number, NaN last, equal ones by key", "[task_main]") {
  using row = result_row<std::uint64_t, pair_of>;
  const input text = text_input("a rather long line");
  const input_texts texts(text, {{1, 0, 0}, {4, 9, 0}});
  const apps::first_cell_order by_first_cell{{texts}};
  CHECK(by_first_cell(row{2, {5, 0}}, row{1, {4, 9}}));
  CHECK(by_first_cell(row{1, {5, 0}}, row{2, {5, 9}}));
  CHECK_FALSE(by_first_cell(row{2, {5, 9}}, row{1, {5, 0}}));
  using number = result_row<std::uint64_t, double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(by_first_cell(number{2, -1}, number{1, nan}));
  CHECK_FALSE(by_first_cell(number{1, nan}, number{2, -1}));
  // As doubles, these two numbers would be equal.
  using large = result_row<std::uint64_t, std::uint64_t>;
  CHECK(by_first_cell(large{2, ~std::uint64_t{0}}, large{1, ~std::uint64_t{0} - 1}));
  // Texts are compared by their bytes, not by their places.
  using place_row = result_row<std::uint64_t, text_place>;
  CHECK(by_first_cell(place_row{2, {4, 9, 0}}, place_row{1, {1, 0, 0}}));
}

}  // namespace
}  // namespace duomap::test::apps_cli_task_main_test
