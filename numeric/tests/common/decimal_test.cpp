// Tests that decimal numbers in text, of few digits or many, are read as std::from_chars reads them.
#include "numeric/common/decimal.hpp"

#include "tests/catch.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>

namespace duomap::test::numeric_common_decimal_test {
namespace {

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Reads the text in both ways; true if the bits are the same, or if the short way refuses the text.
template <class T>
bool agrees(const std::string& text, bool* was_short = nullptr) {
  const char* const end = text.data() + text.size();
  T expected = 0;
  const auto [stop, problem] = std::from_chars(text.data(), end, expected);
  const char* at = text.data();
  T found = 7;
  const bool is_short = read_short_decimal(at, end, found);
  if (was_short != nullptr) *was_short = is_short;
  if (!is_short) return at == text.data();
  return problem == std::errc() && at == stop &&
         std::bit_cast<bits_of<T>>(found) == std::bit_cast<bits_of<T>>(expected);
}

}  // namespace

TEMPLATE_TEST_CASE("Numbers of few digits are those of from_chars", "", float, double) {
  for (const char* const text :
       {"0", "-0", "1", "-1", "0.5", ".5", "5.", "-.25", "007", "0.0001", "12:3", "1.5 2", "16777215",
        "1.2.3", "1x", "0.30", "9007199254740991", "0.1", "2.675"}) {
    INFO(text);
    bool was_short = false;
    CHECK(agrees<TestType>(text, &was_short));
    CHECK((was_short || std::string(text).size() > 10));
  }
  for (const char* const text : {"", "-", ".", "-.", "+1", "e5", "inf", "nan", "1e3", "1E3", "0.00000000001",
                                 "9007199254740993", "1234567890123456789012", "0x1", " 1", "--1"}) {
    INFO(text);
    bool was_short = true;
    CHECK(agrees<TestType>(text, &was_short));
    CHECK((!was_short || text == std::string("0x1")));
  }
  std::mt19937_64 random(seed());
  for (int i = 0; i < 200000; ++i) {
    std::string text = random() % 2 == 0 ? "-" : "";
    const auto digits = [&](std::uint64_t count) {
      for (; count > 0; --count) text += static_cast<char>('0' + random() % 10);
    };
    digits(random() % 6);
    if (random() % 8 != 0) text += '.';
    digits(random() % 9);
    if (random() % 20 == 0) text += "e1";
    if (!agrees<TestType>(text)) {
      INFO(text);
      CHECK(false);
      break;
    }
  }
}

}  // namespace duomap::test::numeric_common_decimal_test
