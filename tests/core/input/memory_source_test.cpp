// Tests sources whose bytes are already in memory.
#include "core/chunk.hpp"
#include "core/input/input.hpp"
#include "tests/catch.hpp"

#include <numeric>

namespace duomap::test::core_input_memory_source_test {

TEST_CASE("a text input owns its text and pads it", "[input][memory_source]") {
  for (const std::size_t size : {0U, 1U, 15U, 16U, 1000U}) {
    std::string text(size, 'x');
    const input in = text_input(text, "mine");
    text.assign(size, 'y');
    REQUIRE(in.size() == 1);
    CHECK(in[0].name() == "mine");
    CHECK(in[0].addressable());
    CHECK(in[0].units() == size);
    CHECK(in[0].stored_size() == size);
    CHECK(in.stored_bytes() == size);
    CHECK(in[0].bytes().text() == std::string(size, 'x'));
    CHECK(in[0].bytes().data != nullptr);
    CHECK(std::accumulate(in[0].bytes().end(), in[0].bytes().end() + read_padding, 0) == 0);
  }
}

TEST_CASE("a view input copies nothing", "[input][memory_source]") {
  const std::string text = "some text" + std::string(read_padding, '\0');
  const input in = view_input({text.data(), 9});
  CHECK(in[0].bytes().data == text.data());
  CHECK(in[0].units() == 9);
  CHECK(in.stored_bytes() == 9);
  CHECK(in[0].addressable());
}

TEST_CASE("an index input has units but no bytes", "[input][memory_source]") {
  const input in = index_input(std::uint64_t{1} << 50);
  CHECK(in[0].addressable());
  CHECK(in[0].units() == std::uint64_t{1} << 50);
  CHECK(in[0].bytes().data == nullptr);
  CHECK(in.stored_bytes() == 0);
}

TEST_CASE("an input of nothing is empty", "[input][memory_source]") {
  CHECK(input().size() == 0);
  CHECK(input().stored_bytes() == 0);
}

}  // namespace duomap::test::core_input_memory_source_test
