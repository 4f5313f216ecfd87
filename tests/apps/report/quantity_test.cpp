// Tests how numbers are written for people, at the ends of each unit's range.
#include "apps/report/quantity.hpp"

#include "tests/catch.hpp"

namespace duomap::apps::apps_report_quantity_test {

TEST_CASE("counts have separators and nouns a plural", "[apps]") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1000) == "1,000");
  CHECK(count_text(123456) == "123,456");
  CHECK(count_text(1234567) == "1,234,567");
  CHECK(count_text(UINT64_MAX) == "18,446,744,073,709,551,615");
  CHECK(count_text(0, "row") == "0 rows");
  CHECK(count_text(1, "row") == "1 row");
  CHECK(count_text(2000, "row") == "2,000 rows");
}

TEST_CASE("an input has bytes or indices", "[apps]") {
  CHECK(amount_text(1000, input_unit::bytes) == "1.00 kB");
  CHECK(amount_text(1, input_unit::indices) == "1 index");
  CHECK(amount_text(1234567, input_unit::indices) == "1,234,567 indices");
  CHECK(rate_text(2'000'000, 2) == "1.00 MB/s");
  CHECK(rate_text(2'000'000, 2, input_unit::indices) == "1.00 M indices/s");
  CHECK(rate_text(20, 2, input_unit::indices) == "10.0 indices/s");
  CHECK(rate_text(20, 0, input_unit::indices) == "-");
}

TEST_CASE("bytes have three significant digits", "[apps]") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(1000) == "1.00 kB");
  CHECK(bytes_text(1234567) == "1.23 MB");
  CHECK(bytes_text(9994999) == "9.99 MB");
  CHECK(bytes_text(9995000) == "10.0 MB");
  CHECK(bytes_text(99950000) == "100 MB");
  CHECK(bytes_text(999499999) == "999 MB");
  CHECK(bytes_text(999500000) == "1.00 GB");
  CHECK(bytes_text(UINT64_MAX) == "18.4 EB");
}

TEST_CASE("rates need a time", "[apps]") {
  CHECK(rate_text(2'000'000'000, 1) == "2.00 GB/s");
  CHECK(rate_text(1, 2) == "0.50 B/s");
  CHECK(rate_text(0, 1) == "0.00 B/s");
  CHECK(rate_text(5, 0) == "-");
}

TEST_CASE("durations choose their unit", "[apps]") {
  CHECK(duration_text(0) == "0.00 ms");
  CHECK(duration_text(0.0123) == "12.3 ms");
  CHECK(duration_text(0.9994) == "999 ms");
  CHECK(duration_text(0.9995) == "1.00 s");
  CHECK(duration_text(59.94) == "59.9 s");
  CHECK(duration_text(59.95) == "1 min 00 s");
  CHECK(duration_text(123) == "2 min 03 s");
  CHECK(duration_text(3599.4) == "59 min 59 s");
  CHECK(duration_text(3599.5) == "1 h 00 min");
  CHECK(duration_text(3900) == "1 h 05 min");
}

TEST_CASE("measured times have the unit that fits", "[apps]") {
  CHECK(time_text(2.6e-6) == "2.60 us");
  CHECK(time_text(0.9996e-3) == "1.00 ms");
  CHECK(time_text(0.19) == "190 ms");
  CHECK(time_text(1.44) == "1.44 s");
  CHECK(time_text(123) == "123 s");
}

}  // namespace duomap::apps::apps_report_quantity_test
