// Tests reductions that reduce each field of a struct by itself.
#include "core/reduce_fields.hpp"

#include "core/deterministic.hpp"
#include "core/reduce.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <vector>

namespace duomap::test::core_reduce_fields_test {
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

struct extent {
  double least[2];
  std::int32_t most;
  std::uint8_t small;
  friend bool operator==(const extent&, const extent&) = default;
};
using fold_extents = reduce_fields<field_by<&extent::least, minimum>, field_by<&extent::most, maximum>,
                                   field_by<&extent::small, sum>>;

static_assert(reduction<fold_extents> && fold_extents::commutative);
static_assert(!has_identity<fold_extents>, "there is no least double that all agree on");
static_assert(!detail::is_exact<fold_extents>, "deterministic mode refuses floating point in fields");

TEST_CASE("each field of a struct is reduced in its own way") {
  CHECK(fold_extents{}({{1, -2}, 3, 200}, {{0, 5}, -3, 100}) == extent{{0, -2}, 3, 44});
  CHECK(fold_extents{}({{1, 1}, -7, 1}, {{1, 2}, -6, 1}) == extent{{1, 1}, -6, 2});
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
}  // namespace duomap::test::core_reduce_fields_test
