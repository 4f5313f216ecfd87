// Field-wise sums of structs.
#include "core/sum_fields.hpp"

#include "core/reduce.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <vector>

namespace duomap::test::core_sum_fields_test {
namespace {

struct numbers {
  double real;
  std::int32_t grid[2][3];
  std::uint8_t small;
  friend bool operator==(const numbers&, const numbers&) = default;
};
using add_numbers = sum_fields<&numbers::real, &numbers::grid, &numbers::small>;

static_assert(reduction<add_numbers> && has_identity<add_numbers> && add_numbers::commutative);
static_assert(add_numbers{}(numbers{1, {{1, 2, 3}, {4, 5, 6}}, 250},
                            numbers{2, {{1, 1, 1}, {1, 1, 1}}, 10}) == numbers{3, {{2, 3, 4}, {5, 6, 7}}, 4});

TEST_CASE("a sum of fields adds every number, arrays among them") {
  const numbers a{0.5, {{-1, 2, 3}, {4, 5, 6}}, 200};
  const numbers b{1.5, {{1, -2, 3}, {-4, 5, 7}}, 100};
  CHECK(add_numbers{}(a, b) == numbers{2, {{0, 0, 6}, {0, 10, 13}}, 44});
  CHECK(add_numbers{}(a, add_numbers{}.identity()) == a);
}

TEST_CASE("the numbers of a sum of fields are visited in the order they are named") {
  numbers value{1, {{2, 3, 4}, {5, 6, 7}}, 8};
  std::vector<double> seen;
  add_numbers::for_each_number(value, [&](auto& number) { seen.push_back(static_cast<double>(number)); });
  CHECK(seen == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  sum_fields<&numbers::small, &numbers::grid, &numbers::real>::for_each_number(
      value, [](auto& number) { number = 0; });
  CHECK(value == numbers{});
}

}  // namespace
}  // namespace duomap::test::core_sum_fields_test
