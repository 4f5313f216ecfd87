// Tests blocks of input bytes, and where they take their memory from.
#include "core/input/block.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::core_input_block_test {
namespace {

/// A block memory that gives at most a fixed number of pieces.
class counted_memory final : public block_memory {
 public:
  explicit counted_memory(unsigned most) : most_(most) {}

  piece take(std::uint64_t bytes) noexcept override {
    if (taken == most_) return {};
    ++taken;
    return {new char[bytes + 100], bytes + 100};
  }
  void give(char* data) noexcept override {
    ++given;
    delete[] data;
  }

  unsigned taken = 0;
  unsigned given = 0;

 private:
  unsigned most_;
};

void put(block& into, const std::string& text) {
  into.clear();
  into.reserve(text.size());
  text.copy(into.data(), text.size());
  into.resize(text.size());
}

}  // namespace

TEST_CASE("a block takes the memory that it was told, and gives it back", "[input][block]") {
  counted_memory memory(2);
  {
    block one(&memory);
    put(one, "some text");
    CHECK(memory.taken == 1);
    one.reserve(50);  // the piece has room to spare
    CHECK(memory.taken == 1);
    one.reserve(1000);
    CHECK(memory.taken == 2);
    CHECK(memory.given == 1);
    CHECK(one.bytes().text() == "some text");
    block other;
    std::swap(one, other);
    CHECK(other.bytes().text() == "some text");
    CHECK(one.capacity() == 0);
    other.reserve(10'000);  // counted_memory is empty, so the block takes ordinary memory
    CHECK(memory.given == 2);
    CHECK(other.bytes().text() == "some text");
    other.reserve(100'000);
    CHECK(other.bytes().text() == "some text");
  }
  CHECK(memory.taken == 2);
  CHECK(memory.given == 2);
}

}  // namespace duomap::test::core_input_block_test
