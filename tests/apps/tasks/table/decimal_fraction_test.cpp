// Tests reading and writing the fractions of quantiles.
#include "apps/tasks/table/decimal_fraction.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace duomap::test::apps_tasks_table_decimal_fraction_test {
namespace {

using namespace duomap::apps;

}  // namespace

TEST_CASE("decimal fraction: equal numbers are equal fractions and one text") {
  for (const auto& [text, written] : {std::pair{"0.95", "0.95"},
                                      {".950", "0.95"},
                                      {"+0.95", "0.95"},
                                      {"0", "0"},
                                      {"-0.0", "0"},
                                      {"1", "1"},
                                      {"1.000", "1"},
                                      {"0.05", "0.05"},
                                      {"0.123456789012345678", "0.123456789012345678"}}) {
    CAPTURE(text);
    CHECK(text_of(parse_fraction(text)) == written);
    CHECK(parse_fraction(text) == parse_fraction(written));
  }
  CHECK(parse_fraction("0.50") == decimal_fraction{.digits = 5, .scale = 1});
}

TEST_CASE("decimal fraction: other texts are refused") {
  for (const char* const text : {"", " 0.5", "1.01", "-0.1", "50%", "1e-3", "0.1234567890123456789", "x"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_fraction(text), usage_error);
  }
}

}  // namespace duomap::test::apps_tasks_table_decimal_fraction_test
