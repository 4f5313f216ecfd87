// Tests that a message writes a time with three digits and no exponent.
#include "core/seconds_text.hpp"

#include "tests/catch.hpp"

namespace duomap::test::core_seconds_text_test {

TEST_CASE("a time in a message has three digits and no exponent", "[text]") {
  CHECK(seconds_text(0) == "0 ms");
  CHECK(seconds_text(0.000531) == "0.531 ms");
  CHECK(seconds_text(0.0461) == "46.1 ms");
  CHECK(seconds_text(0.9994) == "999 ms");
  CHECK(seconds_text(0.9996) == "1 s");
  CHECK(seconds_text(1.2) == "1.2 s");
  CHECK(seconds_text(1234.4) == "1234 s");
}

}  // namespace duomap::test::core_seconds_text_test
