// Tests decimal numbers in a fixed unit against arithmetic with 128 bits.
#include "apps/tasks/table/scaled_number.hpp"

#include "core/config.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_scaled_number_test {
namespace {

using namespace duomap::apps;
__extension__ using wide = __int128;

scaled_number parse(const std::string& text, unsigned scale) {
  // A copy of exactly the text's size, so that a sanitizer sees any read beyond it.
  const std::vector<char> bytes(text.begin(), text.end());
  return parse_scaled({bytes.data(), bytes.size()}, scale);
}

struct expected_number {
  wide value = 0;
  scaled_status status = scaled_status::no_number;
};

expected_number expected_of(const std::string& text, unsigned scale) {
  const bool negative = text.starts_with('-');
  const std::string rest = text.substr(!text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0);
  const std::size_t point = rest.find('.');
  std::string whole = rest.substr(0, point), part = point == std::string::npos ? "" : rest.substr(point + 1);
  const auto is_digits = [](const std::string& digits) {
    return std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (whole.empty() && part.empty()) return {};
  if (!is_digits(whole) || !is_digits(part)) return {};
  const std::string beyond = part.size() > scale ? part.substr(scale) : "";
  part.resize(scale, '0');
  wide value = 0;
  for (const char c : whole + part) {
    value = value * 10 + (c - '0');
    if (value > wide{1} << 70) value = wide{1} << 70;
  }
  if (negative) value = -value;
  if (value > std::numeric_limits<std::int64_t>::max() || value < std::numeric_limits<std::int64_t>::min())
    return {0, scaled_status::too_large};
  if (beyond.find_first_not_of('0') != std::string::npos) return {value, scaled_status::too_fine};
  return {value, scaled_status::number};
}

void check(const std::string& text, unsigned scale, std::uint64_t& wrong) {
  const expected_number right = expected_of(text, scale);
  const scaled_number found = parse(text, scale);
  const bool has_value = right.status == scaled_status::number || right.status == scaled_status::too_fine;
  const bool good = found.status == right.status && (!has_value || found.value == right.value);
  if (good) return;
  ++wrong;
  UNSCOPED_INFO(text << " at scale " << scale);
}

}  // namespace

TEST_CASE("scaled numbers: random texts, and all short ones") {
  std::uint64_t wrong = 0;
  auto random = std::mt19937_64(seed());
  const std::string letters = "0123456789..--+9 e";
  for (unsigned i = 0; i < (torture ? 20'000U : 500'000U); ++i) {
    std::string text;
    const std::uint64_t size = random() % (i % 4 == 0 ? 30 : 12);
    if (random() % 3 == 0) text += random() % 2 == 0 ? '-' : '+';
    const std::uint64_t kinds = random() % 8 == 0 ? letters.size() : 11;
    for (std::uint64_t k = 0; k < size; ++k) text += letters[random() % kinds];
    if (size > 0 && random() % 8 == 0) text[random() % text.size()] = static_cast<char>(random());
    check(text, static_cast<unsigned>(random() % 19), wrong);
  }
  const std::string few = "09.-+a";
  for (unsigned number = 0; number < 6 * 6 * 6 * 6; ++number) {
    std::string text;
    for (unsigned left = number, size = number % 5; size > 0; --size, left /= 6) text += few[left % 6];
    for (const unsigned scale : {0U, 1U, 18U}) check(text, scale, wrong);
  }
  CHECK(wrong == 0);
}

TEST_CASE("scaled numbers: the ends of 64 bits") {
  std::uint64_t wrong = 0;
  for (const std::string text : {"9223372036854775807",
                                 "9223372036854775808",
                                 "-9223372036854775808",
                                 "-9223372036854775809",
                                 "922337203685477580.7",
                                 "92233720368547758.07",
                                 "-92233720368547758.08",
                                 "92233720368547758.08",
                                 "0.9223372036854775807",
                                 "99999999999999999999999999",
                                 "000000000000000000000000000000001",
                                 "1.50000000000000000000000",
                                 "",
                                 "-",
                                 "+",
                                 ".",
                                 "-.",
                                 "5.",
                                 ".5",
                                 "-.5",
                                 "1..2",
                                 "--1"}) {
    for (unsigned scale = 0; scale <= 18; ++scale) check(text, scale, wrong);
  }
  CHECK(wrong == 0);
  CHECK(parse("12.5", 2).value == 1250);
  CHECK(parse("12.50", 1).status == scaled_status::number);
  CHECK(parse("12.55", 1).status == scaled_status::too_fine);
  CHECK(parse("1.250", 3).decimals == 3);
}

TEST_CASE("ordered bits of doubles order as the doubles do") {
  auto random = std::mt19937_64(seed());
  std::vector<double> numbers{0.0, -0.0, 1, -1, 1e308, -1e308, 5e-324, -5e-324};
  for (unsigned i = 0; i < 1000; ++i)
    numbers.push_back((static_cast<double>(random()) - 9e18) *
                      std::pow(10, static_cast<int>(random() % 40) - 20));
  std::uint64_t wrong = 0;
  for (const double a : numbers) {
    wrong += double_of_ordered(ordered_bits(a)) != a ||
             std::signbit(double_of_ordered(ordered_bits(a))) != std::signbit(a);
    for (const double b : numbers) wrong += a < b && ordered_bits(a) >= ordered_bits(b);
  }
  CHECK(wrong == 0);
  CHECK(ordered_bits(-0.0) < ordered_bits(0.0));
}

}  // namespace duomap::test::apps_tasks_table_scaled_number_test
