// Tests the cells of sums: integers and decimals with all their digits.
#include "apps/tasks/table/grouped_table.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <variant>

namespace duomap::test::apps_tasks_table_grouped_table_test {
namespace {

using namespace duomap::apps;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

/// The numbers of a column whose sum is `times` * `number`.
group_numbers sum_of(std::int64_t number, std::uint64_t times) {
  return {.rows = times,
          .count = times,
          .low = times * (static_cast<std::uint64_t>(number) & 0xffffffffu),
          .high = static_cast<std::int64_t>(times) * (number >> 32)};
}

std::string text_of_sum(const group_numbers& numbers, unsigned scale) {
  std::string text;
  const cell found =
      aggregate_cell({.kind = aggregate_kind::sum, .column = "x"}, {.scale = scale}, numbers, "k", text);
  if (const auto* const bytes = std::get_if<byte_view>(&found)) return "text " + std::string(bytes->text());
  if (const auto* const whole = std::get_if<std::int64_t>(&found)) return std::to_string(*whole);
  return std::to_string(std::get<double>(found));
}

}  // namespace

TEST_CASE("sums have all their digits, also beyond 64 bits") {
  CHECK(text_of_sum(sum_of(largest, 1), 0) == "9223372036854775807");
  CHECK(text_of_sum(sum_of(-largest - 1, 1), 0) == "-9223372036854775808");
  CHECK(text_of_sum(sum_of(largest, 2), 0) == "text 18446744073709551614");
  CHECK(text_of_sum(sum_of(-largest - 1, 3), 0) == "text -27670116110564327424");
  CHECK(text_of_sum(sum_of(largest, 0xffffffffu), 0) == "text 39614081247908796755622232065");
  CHECK(text_of_sum(sum_of(largest, 2), 2) == "text 184467440737095516.14");
  CHECK(text_of_sum(sum_of(-largest, 2), 18) == "text -18.446744073709551614");
  CHECK(text_of_sum(sum_of(125, 2), 2) == "2.500000");
}

TEST_CASE("the mean of a sum beyond 64 bits") {
  std::string text;
  const cell mean =
      aggregate_cell({.kind = aggregate_kind::mean, .column = "x"}, {}, sum_of(largest - 1023, 4), "k", text);
  CHECK(std::get<double>(mean) == 9223372036854774784.0);
}

TEST_CASE("a sum of 2^32 numbers is refused, and names its key") {
  std::string text;
  for (const aggregate_kind kind : {aggregate_kind::sum, aggregate_kind::mean})
    CHECK_THROWS_WITH(
        aggregate_cell({.kind = kind, .column = "x"}, {}, sum_of(1, std::uint64_t{1} << 32), "k", text),
        contains("the sum of column 'x' under the key 'k' has more than 4,294,967,295 numbers"));
}

}  // namespace duomap::test::apps_tasks_table_grouped_table_test
