// Tests first_units(), which makes an input of the first units of another input.
#include "core/input/input.hpp"
#include "tests/catch.hpp"
#include "tests/scheduler/support.hpp"

#include <string>

namespace duomap::test::core_input_first_units_test {
namespace {

input three_sources() {
  source_set sources;
  sources.add_memory("0123456789");
  sources.add_stream("a stream");
  sources.add_memory("abcdef");
  return sources.take();
}

std::string text_of(const input& part) {
  std::string all;
  for (std::size_t i = 0; i < part.size(); ++i) {
    CHECK(part[i].addressable());
    CHECK(part[i].bytes().size == part[i].units());
    CHECK(part[i].stored_size() == part[i].units());
    all += std::string(part[i].bytes().text()) + "|";
  }
  return all;
}

}  // namespace

TEST_CASE("first part: whole sources, then the beginning of one; streams are left out", "[input]") {
  CHECK(text_of(first_units(three_sources(), 0)).empty());
  CHECK(text_of(first_units(three_sources(), 3)) == "012|");
  CHECK(text_of(first_units(three_sources(), 10)) == "0123456789|");
  CHECK(text_of(first_units(three_sources(), 12)) == "0123456789|ab|");
  CHECK(text_of(first_units(three_sources(), 16)) == "0123456789|abcdef|");
  CHECK(text_of(first_units(three_sources(), 1000)) == "0123456789|abcdef|");
}

TEST_CASE("first part: of indices", "[input]") {
  const input part = first_units(index_input(100), 7);
  REQUIRE(part.size() == 1);
  CHECK(part[0].units() == 7);
  CHECK(part[0].bytes().data == nullptr);
  CHECK(part[0].bytes().size == 0);
}

}  // namespace duomap::test::core_input_first_units_test
