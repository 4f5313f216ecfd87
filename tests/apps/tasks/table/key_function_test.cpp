// Tests the functions that make keys: dates against the calendar, networks, buckets and texts.
#include "apps/tasks/table/key_function.hpp"

#include "apps/tasks/table/parse_key_function.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

namespace duomap::test::apps_tasks_table_key_function_test {
namespace {

using namespace duomap::apps;

/// The key that a call makes of a field; "?" if it cannot read the field, "..." if the key is too long.
std::string key_of(const std::string& call, const std::string& field, std::uint64_t room = 256) {
  char made[256];
  key_sink key{made, room};
  if (!put_made_key(parse_key_call(call).value().function, byte_view(field), key)) return "?";
  return key.fits ? std::string(made, key.size) : "...";
}

std::string text_of(const char* form, int year, unsigned month, unsigned day, unsigned hour) {
  char text[40];
  std::snprintf(text, sizeof text, form, year, month, day, hour);
  return text;
}

}  // namespace

TEST_CASE("dates are truncated") {
  for (const char* const text : {"2024-05-06", "2024-05-06T07:08:09", "2024-05-06 07:08", "2024-05-06t07",
                                 " 2024-05-06T07:08:09.123456789Z ", "2024-05-06 07:08:60+05:30",
                                 "2024-05-06 07:08:09,5-0800", "2024-05-06 07:08:09+00"}) {
    CAPTURE(text);
    CHECK(key_of("year(t)", text) == "2024");
    CHECK(key_of("month(t)", text) == "2024-05");
    CHECK(key_of("day(t)", text) == "2024-05-06");
  }
  CHECK(key_of("hour(t)", "2024-05-06T07:08:09+05:30") == "2024-05-06T07");
  CHECK(key_of("hour(t)", "2024-05-06") == "2024-05-06T00");
  CHECK(key_of("day(t)", "0000-02-29") == "0000-02-29");
  CHECK(key_of("day(t)", "") == "");
  CHECK(key_of("day(t)", " \t") == "");
  for (const char* const text : {"2023-02-29",
                                 "1900-02-29",
                                 "2024-13-01",
                                 "2024-00-01",
                                 "2024-04-31",
                                 "2024-05-00",
                                 "2024-5-6",
                                 "2024-05-06T",
                                 "2024-05-06T24:00",
                                 "2024-05-06T7",
                                 "2024-05-06T07:60",
                                 "2024-05-06T07:08:61",
                                 "2024-05-06T07:08:09.",
                                 "2024-05-06T07:08:09 UTC",
                                 "2024-05-06T07:08Zx",
                                 "2024-05-06x07",
                                 "2024-05-06T07+24",
                                 "2024-05-06T07+05:60",
                                 "06.05.2024",
                                 "20240506",
                                 "x",
                                 "1e9",
                                 "-",
                                 "2024-05"}) {
    CAPTURE(text);
    CHECK(key_of("day(t)", text) == "?");
  }
}

TEST_CASE("seconds since 1970 are those of the calendar") {
  CHECK(key_of("hour(t)", "0") == "1970-01-01T00");
  CHECK(key_of("hour(t)", "-1") == "1969-12-31T23");
  CHECK(key_of("hour(t)", "-0.5") == "1969-12-31T23");
  CHECK(key_of("hour(t)", "-0.0") == "1970-01-01T00");
  CHECK(key_of("hour(t)", "1715000000.999") == "2024-05-06T12");
  CHECK(key_of("hour(t)", "-62167219200") == "0000-01-01T00");
  CHECK(key_of("hour(t)", "253402300799.9") == "9999-12-31T23");
  CHECK(key_of("hour(t)", "-62167219201") == "?");
  CHECK(key_of("hour(t)", "-62167219200.1") == "?");
  CHECK(key_of("hour(t)", "253402300800") == "?");
  CHECK(key_of("hour(t)", "1715000000000") == "?");  // milliseconds
  std::uint64_t wrong = 0;
  std::mt19937_64 random(7);
  for (int day = -719'528; day <= 2'932'896; ++day) {
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
    const auto hour = static_cast<unsigned>(random() % 24);
    const auto second = static_cast<std::int64_t>(hour * 3'600 + random() % 3'600);
    const std::string text = std::to_string(std::int64_t{day} * 86'400 + second);
    if (text.size() == 8 && text[0] != '-') continue;
    wrong += key_of("hour(t)", text) != text_of("%04d-%02u-%02uT%02u", int(date.year()),
                                                unsigned(date.month()), unsigned(date.day()), hour);
  }
  CHECK(wrong == 0);
}

TEST_CASE("networks have the form of RFC 5952") {
  CHECK(key_of("prefix(ip, 24)", "10.1.2.3") == "10.1.2.0/24");
  CHECK(key_of("prefix(ip, 0)", "255.255.255.255") == "0.0.0.0/0");
  CHECK(key_of("prefix(ip, 32)", "255.0.10.100") == "255.0.10.100/32");
  CHECK(key_of("prefix(ip,9)", " 10.255.2.3 ") == "10.128.0.0/9");
  CHECK(key_of("prefix(ip, 24, 48)", "2001:DB8:0:1::5") == "2001:db8::/48");
  CHECK(key_of("prefix(ip, 24, 64)", "10.1.2.3") == "10.1.2.0/24");
  CHECK(key_of("prefix(ip, 128)", "1:0:0:2:0:0:0:3") == "1:0:0:2::3/128");
  CHECK(key_of("prefix(ip, 128)", "::ffff:1.2.3.4") == "::ffff:102:304/128");
  CHECK(key_of("prefix(ip, 17)", "ffff:ffff::") == "ffff:8000::/17");
  CHECK(key_of("prefix(ip, 0)", "ffff::1") == "::/0");
  CHECK(key_of("prefix(ip, 48)", "10.1.2.3") == "?");
  CHECK(key_of("prefix(ip, 24)", "") == "");
  for (const char* const text :
       {"10.1.2", "10.1.2.256", "10.1.2.03", "10.1.2.3.4", "10.1.2.3:80", "10.1.2.3/24", "fe80::1%eth0",
        "[::1]", ":::", "1::2::3", "1:2:3:4:5:6:7", "x", "12345::"}) {
    CAPTURE(text);
    CHECK(key_of("prefix(ip, 24)", text) == "?");
  }
}

TEST_CASE("numbers are rounded down to a multiple of the width") {
  CHECK(key_of("floor(x, 10)", "129") == "120");
  CHECK(key_of("floor(x, 10)", "-1") == "-10");
  CHECK(key_of("floor(x, 10)", "-10") == "-10");
  CHECK(key_of("floor(x, 10)", "-10.0001") == "-20");
  CHECK(key_of("floor(x, 10)", "-0.0") == "0");
  CHECK(key_of("floor(x, 0.25)", "0.3") == "0.25");
  CHECK(key_of("floor(x, 0.25)", "-0.3") == "-0.50");
  CHECK(key_of("floor(x, 0.5)", "7") == "7.0");
  CHECK(key_of("floor(x, 0.10)", "0.3") == "0.30");  // 0.3 / 0.1 is less than 3 in doubles
  CHECK(key_of("floor(x, 1)", "9223372036854775807") == "9223372036854775807");
  CHECK(key_of("floor(x, 2)", "-9223372036854775808") == "-9223372036854775808");
  CHECK(key_of("floor(x, 10)", "-9223372036854775808") == "?");
  CHECK(key_of("floor(x, 10)", "9223372036854775808") == "?");
  CHECK(key_of("floor(x, 0.1)", "9223372036854775807") == "?");
  CHECK(key_of("floor(x, 10)", "1.5e3") == "1500");
  CHECK(key_of("floor(x, 10)", "-1.5E-3") == "-10");
  CHECK(key_of("floor(x, 0.001)", "1.23456e-1") == "0.123");
  CHECK(key_of("floor(x, 0.001)", "-1.23456e-1") == "-0.124");
  CHECK(key_of("floor(x, 1)", "1e18") == "1000000000000000000");
  CHECK(key_of("floor(x, 1)", "1e19") == "?");
  CHECK(key_of("floor(x, 1)", "0e500") == "0");
  CHECK(key_of("floor(x, 1)", "7e-500") == "0");
  CHECK(key_of("floor(x, 1)", "") == "");
  for (const char* const text :
       {"x", "1,5", "--1", "1e", "e5", "1e1.5", "1e99999999999", "inf", "nan", "0x10"}) {
    CAPTURE(text);
    CHECK(key_of("floor(x, 1)", text) == "?");
  }
}

TEST_CASE("texts change case in ASCII and are cut between characters") {
  CHECK(key_of("lower(x)", "AZ[`az{@ \xC3\x84") == "az[`az{@ \xC3\x84");
  CHECK(key_of("upper(x)", "AZ[`az{@ \xC3\xA4") == "AZ[`AZ{@ \xC3\xA4");
  CHECK(key_of("left(x, 3)", "abcd") == "abc");
  CHECK(key_of("left(x, 3)", "ab") == "ab");
  CHECK(key_of("left(x, 2)", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80") == "\xC3\xA4\xE2\x82\xAC");
  CHECK(key_of("left(x, 2)", "") == "");
  CHECK(key_of("lower(x)", "  ") == "  ");
  CHECK(key_of("lower(x)", "ABC", 2) == "...");
  CHECK(key_of("left(x, 2)", std::string(1000, 'x')) == "xx");
  CHECK(key_of("prefix(ip, 24)", "10.1.2.3", 5) == "...");
}

}  // namespace duomap::test::apps_tasks_table_key_function_test
