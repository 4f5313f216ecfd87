// Conditions on rows: their text (parse_condition.hpp), and comparisons of decimals against comparisons of
// digits.
#include "apps/tasks/table/row_condition.hpp"

#include "apps/tasks/table/parse_condition.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_row_condition_test {
namespace {

using namespace duomap::apps;

/// The result for one row, whose column "a" is the first field, "b" the second, and so on. Nothing: a fault.
std::optional<bool> holds(const std::string& text, const std::vector<std::string>& row) {
  const parsed_condition parsed = parse_condition(text);
  std::uint32_t results = 0;
  for (unsigned i = 0; i < parsed.condition.count; ++i) {
    const auto field = static_cast<std::size_t>(parsed.columns[i].at(0) - 'a');
    bool result = false;
    if (!compare_field(byte_view(row.at(field)), '\0', parsed.condition, i, result)) return std::nullopt;
    results |= std::uint32_t{result} << i;
  }
  return parsed.condition.holds(results);
}

std::string random_decimal(std::mt19937_64& random) {
  const auto digits = [&](std::uint64_t count) {
    std::string all;
    const bool equal = random() % 4 == 0;  // so that numbers are often near to each other
    for (std::uint64_t i = 0; i < count; ++i) all += static_cast<char>('0' + (equal ? 9 : random() % 10));
    return all;
  };
  const std::uint64_t longest = random() % 3 == 0 ? 24 : 4;
  std::string text = random() % 3 == 0 ? "-" : random() % 5 == 0 ? "+" : "";
  text += digits(1 + random() % longest);
  if (random() % 2 == 0) text += "." + digits(random() % longest);
  return text;
}

/// Compares the digits of two decimals: -1, 0 or 1.
int order_of_digits(const std::string& a, const std::string& b) {
  struct parts {
    std::string digits;
    bool negative = false;
  };
  constexpr std::size_t width = 40;
  const auto parts_of = [](const std::string& text) {
    const std::string rest = text.substr(text[0] == '-' || text[0] == '+' ? 1 : 0);
    const std::size_t point = std::min(rest.find('.'), rest.size());
    std::string fraction = point < rest.size() ? rest.substr(point + 1) : "";
    fraction.resize(width, '0');
    return parts{std::string(width - point, '0') + rest.substr(0, point) + fraction, text[0] == '-'};
  };
  const parts left = parts_of(a), right = parts_of(b);
  const auto is_zero = [](const parts& one) {
    return one.digits.find_first_not_of('0') == std::string::npos;
  };
  if (is_zero(left) && is_zero(right)) return 0;
  if (left.negative != right.negative) return left.negative ? -1 : 1;
  const int order = left.digits.compare(right.digits);
  return (left.negative ? -1 : 1) * (order < 0 ? -1 : order > 0 ? 1 : 0);
}

}  // namespace

TEST_CASE("conditions: decimals are compared exactly") {
  auto random = std::mt19937_64(seed());
  std::uint64_t wrong = 0, exact = 0;
  for (unsigned i = 0; i < (torture ? 10'000U : 200'000U); ++i) {
    const std::string field = random_decimal(random);
    std::string constant = random_decimal(random);
    if (random() % 3 == 0) constant = field.substr(0, 1 + random() % field.size());
    if (constant == "-" || constant == "+" || constant == ".") continue;
    const parsed_condition parsed = parse_condition("a < " + constant);
    if (parsed.condition.comparisons[0].constant != comparison::constant_kind::decimal) continue;
    ++exact;
    const int right = order_of_digits(field, constant);
    const bool good = holds("a < " + constant, {field}) == (right < 0) &&
                      holds("a = " + constant, {field}) == (right == 0) &&
                      holds("a >= " + constant, {field}) == (right >= 0);
    if (!good) UNSCOPED_INFO(field << " and " << constant);
    wrong += !good;
  }
  CHECK(wrong == 0);
  CHECK(exact > (torture ? 5'000U : 100'000U));
}

TEST_CASE("conditions: operators, constants and missing fields") {
  CHECK(holds("a = 5", {"5.0"}) == true);
  CHECK(holds("a == 5 and a<>6 AND a != 4", {"+5"}) == true);
  CHECK(holds("a<=5", {" 5\t"}) == true);
  CHECK(holds("a > -0.5", {"-0.50001"}) == false);
  CHECK(holds("a = 1e3", {"1000"}) == true);
  CHECK(holds("a = 1000", {"1e3"}) == true);
  CHECK(holds("a > 1e300", {"nan"}) == std::nullopt);
  CHECK(holds("a < 9223372036854775807", {"9223372036854775808"}) == false);
  CHECK(holds("a > 0", {"x"}) == std::nullopt);
  CHECK(holds("a > 0 or b = 1", {"1", "x"}) == std::nullopt);

  CHECK(holds("a = 'x y'", {"x y"}) == true);
  CHECK(holds("a = 'it''s'", {"it's"}) == true);
  CHECK(holds("a < 'b'", {"abc"}) == true);
  CHECK(holds("a < 'a'", {"abc"}) == false);
  CHECK(holds("a > 'a'", {"ab"}) == true);
  CHECK(holds("a > '\xc3\xa4'", {"z"}) == false);
  CHECK(holds("a = '5'", {"5.0"}) == false);

  for (const std::string text : {"a = 'x'", "a != 'x'", "a < 1", "a >= 1", "a is not null"})
    CHECK(holds(text, {""}) == false);
  CHECK(holds("a is null", {""}) == true);
  CHECK(holds("a IS NOT NULL", {"0"}) == true);
  CHECK(holds("a < 1 or a is null", {" "}) == true);

  bool result = false;
  const parsed_condition quoted = parse_condition("\"a \"\"column\"\"\" = 'q\"q'");
  CHECK(quoted.columns == std::vector<std::string>{"a \"column\""});
  CHECK(compare_field(byte_view("q\"\"q"), '"', quoted.condition, 0, result));
  CHECK(result);
}

TEST_CASE("conditions: lists, ranges and patterns") {
  CHECK(holds("a in (1, 2.50, 1e3)", {"2.5"}) == true);
  CHECK(holds("a in (1, 2.50, 1e3)", {"1000"}) == true);
  CHECK(holds("a in (0.1)", {"1e-1"}) == true);
  CHECK(holds("a in (9007199254740993)", {"9007199254740992"}) == false);
  CHECK(holds("a IN (1, 2)", {"3"}) == false);
  CHECK(holds("a not in (1, 2)", {"3"}) == true);
  CHECK(holds("a in (1)", {"x"}) == std::nullopt);
  CHECK(holds("a in ('x', 'it''s')", {"it's"}) == true);
  CHECK(holds("a in ('x', 'xx')", {"xxx"}) == false);
  CHECK(holds("a between 1 and 2.5 and b = 1", {"2.5", "1"}) == true);
  CHECK(holds("a between 1 and 2.5", {"2.51"}) == false);
  CHECK(holds("a not between 1 and 2.5", {"0.9"}) == true);
  CHECK(holds("a not between 1 and 2.5", {"1"}) == false);
  CHECK(holds("a between 2 and 1", {"1"}) == false);
  CHECK(holds("a between 'b' and 'c'", {"bz"}) == true);
  CHECK(holds("a like 'pre%'", {"prefix"}) == true);
  CHECK(holds("a like 'pre%'", {" prefix"}) == false);
  CHECK(holds("a not like '_x'", {"\xc3\xa9x"}) == false);
}

TEST_CASE("conditions: not of a comparison with null is not true") {
  for (const std::string text : {"a = 1", "a > 1", "a in (1, 2)", "a not in (1, 2)", "a between 1 and 2",
                                 "a not between 1 and 2", "a like '%'", "a not like 'x'", "not a = 1"}) {
    CHECK(holds(text, {""}) == false);
    CHECK(holds("not " + text, {""}) == false);
    CHECK(holds("not (" + text + " and b = 1)", {"", "1"}) == false);
    CHECK(holds("not (" + text + " and b = 1)", {"", "2"}) == true);
    CHECK(holds("not (" + text + " or b = 1)", {"", "2"}) == false);
    CHECK(holds("not (" + text + ") or b = 2", {"", "2"}) == true);
  }
  CHECK(holds("not a is null", {""}) == false);
  CHECK(holds("not a is not null", {""}) == true);
  for (unsigned bits = 0; bits < 8; ++bits) {
    const bool a = bits & 1, b = bits & 2, c = bits & 4;
    const std::vector<std::string> row{a ? "1" : "0", b ? "1" : "0", c ? "1" : "0"};
    CHECK(holds("not a=1 and b=1 or c=1", row) == ((!a && b) || c));
    CHECK(holds("not (a=1 and not (b=1 or not c=1))", row) == !(a && !(b || !c)));
    CHECK(holds("not not (a=1 or b=1) and not (b=1 and c=1)", row) == ((a || b) && !(b && c)));
  }
}

TEST_CASE("conditions: and binds before or, and parentheses before both") {
  for (unsigned bits = 0; bits < 16; ++bits) {
    const bool a = bits & 1, b = bits & 2, c = bits & 4, d = bits & 8;
    const std::vector<std::string> row{a ? "1" : "0", b ? "1" : "0", c ? "1" : "0", d ? "1" : "0"};
    CHECK(holds("a=1 or b=1 and c=1 or d=1", row) == (a || (b && c) || d));
    CHECK(holds("(a=1 or b=1) and (c=1 or d=1)", row) == ((a || b) && (c || d)));
    CHECK(holds("a=1 and (b=1 or (c=1 and d=1))", row) == (a && (b || (c && d))));
    CHECK(holds("a=1 and b=1 or c=1 and d=1", row) == ((a && b) || (c && d)));
  }
  std::string many = "a=1";
  for (unsigned i = 1; i < most_comparisons; ++i)
    many += (i % 2 == 0 ? " and a=" : " or a=") + std::to_string(i);
  CHECK(holds(many, {"1"}) == true);
  std::string nested;
  for (unsigned i = 1; i < most_comparisons; ++i) nested += "(a=0 or ";
  nested += "a=7" + std::string(most_comparisons - 1, ')');
  CHECK(holds(nested, {"7"}) == true);
  CHECK(holds(nested, {"1"}) == false);
  CHECK_THROWS_WITH(parse_condition(many + " or a=1"), contains("at most 16 comparisons"));
}

TEST_CASE("conditions: other texts are refused, and the message names the place") {
  for (const std::string text : {"",
                                 " ",
                                 "a",
                                 "a =",
                                 "a = x",
                                 "= 1",
                                 "a = 1 b = 2",
                                 "a = 1 and",
                                 "(a = 1",
                                 "a = 1)",
                                 "a = 'x",
                                 "\"a = 1",
                                 "\"\" = 1",
                                 "a = ''",
                                 "a is",
                                 "a is not",
                                 "a is 5",
                                 "a = nan",
                                 "not",
                                 "a = b",
                                 "a = 1-2",
                                 "a like x",
                                 "1 < a < 2",
                                 "a = 1;",
                                 "a not = 1",
                                 "a in ()",
                                 "a in (1",
                                 "a in 1",
                                 "a in (1 2)",
                                 "a in (1, 'x')",
                                 "a between 1",
                                 "a between 1 or 2",
                                 "a between 1 and 'x'",
                                 "a not",
                                 "not (a = 1",
                                 "a like 1",
                                 "a like ''",
                                 "a in (null)",
                                 "a not is null"})
    CHECK_THROWS_AS(parse_condition(text), usage_error);
  CHECK_THROWS_WITH(parse_condition("a = 1 b = 2"),
                    contains("has 'b = 2' in the place of and, or, or the end"));
  CHECK_THROWS_WITH(parse_condition("a = Rome"),
                    contains("'Rome' in the place of a number, or a text in single quotes"));
  CHECK_THROWS_WITH(parse_condition("a = 1 and"), contains("its end in the place of a column"));
  CHECK_THROWS_WITH(parse_condition("a = '" + std::string(257, 'x') + "'"), contains("at most 256 bytes"));
  CHECK_THROWS_AS(parse_condition(std::string(1000, '(')), usage_error);
  CHECK_THROWS_WITH(parse_condition("a like 5 and b = 1"),
                    contains("has '5 and b = 1' in the place of a pattern"));
  std::string list = "a in (0";
  for (unsigned i = 1; i < 28; ++i) list += ", " + std::to_string(i);
  CHECK(holds(list + ")", {"27"}) == true);
  CHECK_THROWS_WITH(parse_condition(list + ", 28)"), contains("a number in a list counts as 9"));
  CHECK_THROWS_WITH(parse_condition("a in ('" + std::string(256, 'x') + "')"), contains("at most 255 bytes"));
}

}  // namespace duomap::test::apps_tasks_table_row_condition_test
