// Tests the reasons why texts that people write as numbers are not read as numbers.
#include "numeric/common/odd_number.hpp"

#include "tests/catch.hpp"

#include <string_view>

namespace duomap::test::numeric_odd_number_test {

TEST_CASE("odd numbers: each kind is named", "[tables]") {
  struct expected {
    std::string_view text;
    const char* why;
    bool other_delimiter;
  };
  const expected cases[] = {
      {"\xe2\x88\x92"
       "2",
       "its minus sign is U+2212 instead of -", false},
      {"\xe2\x80\x93"
       "2",
       "its minus sign is the dash U+2013 instead of -", false},
      {"\xc2\xa0"
       "2",
       "it has the no-break space U+00A0", false},
      {"2\xe2\x80\x8b", "it has the invisible character U+200B", false},
      {"\xef\xbb\xbf"
       "2",
       "it has a byte order mark", false},
      {"2\r3", "a carriage return alone ends no line: write line feeds", false},
      {"1,5", "it has a comma: numbers have a decimal point and no separators of thousands", false},
      {"-1,000,000.5", "it has a comma: numbers have a decimal point and no separators of thousands", false},
      {"5;2", "it has ';' between numbers", true},
      {"1|2|3", "it has '|' between numbers", true},
      {"1\t2", "it has '\\x09' between numbers", true},
      {"-0x1F", "it is hexadecimal", false},
      {"1.5d0", "its exponent begins with d instead of e", false},
      {"1.5D-3", "its exponent begins with d instead of e", false},
      {"'1'", "only \" quotes a field", false},
      {"[[1", "JSON is not read as a table: write it as CSV", false},
      {"#x", "lines of comments are not passed over: leave them out", false},
      {"a;2", "", false},
      {"tcp", "", false},
      {"d", "", false},
      {"a,b", "", false},
      {"2020-01-02", "", false},
      {"+", "", false},
      {";", "", false},
  };
  for (const expected& one : cases) {
    CAPTURE(one.text);
    const odd_number found = odd_number_in(byte_view(one.text));
    CHECK(found.why == one.why);
    CHECK(found.other_delimiter == one.other_delimiter);
  }
}

}  // namespace duomap::test::numeric_odd_number_test
