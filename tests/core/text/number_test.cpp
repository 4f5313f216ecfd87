// Tests that parse_double() agrees with std::from_chars to the last bit.
#include "core/text/number.hpp"

#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"
#include "tests/support/quick.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace duomap::test::core_text_number_test {
namespace {

bool same_as_from_chars(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto found = parse_double(text);
  const parse_status status = problem == std::errc()                      ? parse_status::number
                              : problem == std::errc::result_out_of_range ? parse_status::out_of_range
                                                                          : parse_status::no_number;
  if (problem != std::errc()) value = 0;
  return found.used == static_cast<std::uint64_t>(end - text.data()) && found.status == status &&
         std::bit_cast<std::uint64_t>(found.value) == std::bit_cast<std::uint64_t>(value);
}

void check(const std::string& text) {
  CAPTURE(text);
  const guarded_bytes guarded(text);  // the page behind the text cannot be read
  CHECK(same_as_from_chars(guarded.view().text()));
}

/// A finite double of any exponent; a quarter are below the smallest normal number.
double any_double(std::mt19937_64& random) {
  const std::uint64_t exponent = random() % 4 == 0 ? 0 : random() % 2047;
  return std::bit_cast<double>((random() & 0x800F'FFFF'FFFF'FFFF) | exponent << 52);
}

std::string written(double number, std::chars_format format, int digits) {
  std::array<char, 1200> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, format, digits).ptr;
  return {text.data(), end};
}

/// Numbers like those of files, and texts that may not be numbers at all.
std::string any_number(std::mt19937_64& random) {
  const auto whole = [&] {
    return std::to_string(random() >> random() % 64);
  };
  std::array<char, 32> text;
  switch (random() % 7) {
    case 0:  // the shortest text that gives the same number
      return {text.data(), std::to_chars(text.data(), text.data() + text.size(), any_double(random)).ptr};
    case 1:
      return written(any_double(random), std::chars_format::scientific, 14 + static_cast<int>(random() % 6));
    case 2:
      return whole() + "." + whole();
    case 3:
      return whole() + "e" + std::to_string(static_cast<int>(random() % 700) - 360);
    case 4:  // more digits than 64 bits hold
      return whole() + whole() + "." + whole() + "E" + std::to_string(static_cast<int>(random() % 640) - 340);
    case 5:  // like a price or a temperature
      return "-" + std::to_string(random() % 1000) + "." + std::to_string(random() % 100);
    default: {  // may be no number
      std::string any;
      for (std::uint64_t i = random() % 40; i > 0; --i)
        any += "0123456789012345678900000..-+eE x"[random() % 33];
      return any;
    }
  }
}

/// A natural number as words of 32 bits, lowest word first.
using digits = std::vector<std::uint32_t>;

digits power(std::uint32_t base, unsigned exponent) {
  digits all{1};
  for (; exponent > 0; --exponent) {
    std::uint64_t carry = 0;
    for (std::uint32_t& word : all) {
      carry += std::uint64_t{word} * base;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) all.push_back(static_cast<std::uint32_t>(carry));
  }
  return all;
}

bool bit(const digits& number, std::int64_t place) {
  return place >= 0 && static_cast<std::size_t>(place / 32) < number.size() &&
         (number[static_cast<std::size_t>(place / 32)] >> place % 32 & 1) != 0;
}

std::int64_t bits_of(const digits& number) {
  return static_cast<std::int64_t>(number.size()) * 32 - std::countl_zero(number.back());
}

/// Doubles `rest`, then subtracts `divisor` if it is not larger. Returns whether it subtracted.
bool double_and_subtract(digits& rest, const digits& divisor) {
  std::uint32_t carry = 0;
  for (std::uint32_t& word : rest) {
    const std::uint32_t next = word >> 31;
    word = word << 1 | carry;
    carry = next;
  }
  for (std::size_t i = rest.size(); i-- > 0;) {
    const std::uint32_t other = i < divisor.size() ? divisor[i] : 0;
    if (rest[i] < other) return false;
    if (rest[i] > other) break;
  }
  std::int64_t borrow = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    borrow += static_cast<std::int64_t>(rest[i]) - (i < divisor.size() ? divisor[i] : 0);
    rest[i] = static_cast<std::uint32_t>(borrow);
    borrow >>= 32;
  }
  return true;
}

TEST_CASE("parse_double: the powers of five are the right ones", "[parse_double]") {
  for (int exponent = detail::smallest_power_of_five; exponent <= detail::largest_power_of_five; ++exponent) {
    CAPTURE(exponent);
    const digits five = power(5, static_cast<unsigned>(std::abs(exponent)));
    std::array<std::uint64_t, 2> high{};
    if (exponent >= 0) {
      for (unsigned i = 0; i < 128; ++i)
        high[i / 64] = high[i / 64] << 1 | (bit(five, bits_of(five) - 1 - i) ? 1 : 0);
    } else {
      // Long division gives 2^n / 5^k. It starts from the power of two just below the divisor.
      digits rest(five.size() + 1, 0);
      const std::int64_t top = bits_of(five) - 1;
      rest[static_cast<std::size_t>(top / 32)] = std::uint32_t{1} << top % 32;
      for (unsigned i = 0; i < 128; ++i)
        high[i / 64] = high[i / 64] << 1 | (double_and_subtract(rest, five) ? 1 : 0);
      if (exponent >= -27 && ++high[1] == 0) ++high[0];
    }
    const detail::power_of_five found = detail::highest_bits_of_five(exponent);
    CHECK(found.high == high[0]);
    CHECK(found.low == high[1]);
  }
}

TEST_CASE("parse_double: what is a number, and how far it goes", "[parse_double]") {
  for (const char* const text : {"",
                                 "-",
                                 ".",
                                 "-.",
                                 "e5",
                                 ".e5",
                                 "1",
                                 "1.",
                                 ".5",
                                 "-.5",
                                 "1.5.5",
                                 "1e",
                                 "1e+",
                                 "1e-",
                                 "1e5",
                                 "1E5",
                                 "1e+05",
                                 "1e-05x",
                                 "+1",
                                 " 1",
                                 "0",
                                 "-0",
                                 "0e999999999999999999999",
                                 "0.0000",
                                 "00012.5000",
                                 "1.0000000000000000",
                                 "9007199254740993",
                                 "9007199254740992.9",
                                 "0.1",
                                 "0.3",
                                 "123456.789",
                                 "1e19",
                                 "1e-19",
                                 "9999999999999999999",
                                 "9999999999999999999e19",
                                 "1e38",
                                 "0.000000000000000001"}) {
    check(text);
  }
}

TEST_CASE("parse_double: numbers at the ends of the range, and of many digits", "[parse_double]") {
  for (const char* const text :
       {"1.7976931348623157e308", "1.7976931348623159e308", "1e308", "1e309", "2e308", "4.9e-324", "2.5e-324",
        "2.4e-324", "1e-323", "1e-400", "2.2250738585072014e-308", "2.2250738585072011e-308",
        "1e999999999999999999999999", "-1e-999999999999999999999999", "123456789012345678901234567890",
        "0.00000000000000000000000000000000000000000000000000000000123456789012345678901234567890e60",
        "1797693134862315700000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        "00"}) {
    check(text);
  }
  check(std::string(400, '0') + "1" + std::string(400, '0') + "e-400");
  check("0." + std::string(400, '0') + "1e400");
  check("1" + std::string(400, '0'));
  check("0." + std::string(400, '0') + "1");
  check(std::string(5000, '9') + "e-4990");
}

TEST_CASE("parse_double: ten million numbers of many shapes", "[parse_double]") {
  auto random = std::mt19937_64(seed());
  std::uint64_t wrong = 0;
  for (std::uint64_t round = quick() ? 300'000 : 10'000'000; round > 0; --round) {
    const std::string text = any_number(random);
    if (!same_as_from_chars(text) && ++wrong < 10) check(text);
  }
  CHECK(wrong == 0);
}

TEST_CASE("parse_double: the middle between two doubles, and what is beside it", "[parse_double]") {
  auto random = std::mt19937_64(seed());
  for (unsigned round = 0; round < 20'000; ++round) {
    const double low = std::abs(any_double(random));
    const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(low) + 1);
    if (!std::isfinite(high)) continue;
    // The middle of two doubles needs 54 bits; a long double has 64.
    const long double middle = (static_cast<long double>(low) + static_cast<long double>(high)) / 2;
    std::array<char, 1200> buffer;
    const int size = std::snprintf(buffer.data(), buffer.size(), "%.800Le", middle);
    REQUIRE(size > 800);
    const std::string exact(buffer.data(), static_cast<std::size_t>(size));
    check(exact);
    const std::size_t last = exact.find_last_not_of('0', exact.find('e') - 1);
    std::string above = exact;  // the last digit is raised, or a digit far behind it
    above[std::min(last + 1 + random() % 40, exact.find('e') - 1)] = '1';
    check(above);
    std::string below = exact;
    if (below[last] > '0' && below[last] <= '9') --below[last];
    check(below);
  }
}

}  // namespace
TEST_CASE("a program that rounds otherwise reads the same doubles", "[parse_double]") {
  const int before = std::fegetround();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    REQUIRE(std::fesetround(mode) == 0);
    const double tenth = parse_double(byte_view{"0.1", 3}).value;
    const double third = parse_double(byte_view{"0.3333333", 9}).value;
    std::fesetround(before);
    CHECK(tenth == 0.1);
    CHECK(third == 0.3333333);
  }
}

}  // namespace duomap::test::core_text_number_test
