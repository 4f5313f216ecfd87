// Tests slices of addressable sources.
#include "core/input/slice.hpp"

#include "core/input/input.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <random>
#include <stdexcept>

namespace duomap::test::core_input_slice_test {

using test::boundaries;
using test::separator_boundary;

namespace {

/// Slices the source at each cut, and returns the records of all slices. Checks that the slices leave no gap.
std::vector<std::string> records_of_slices(const source& whole, const std::vector<std::uint64_t>& cuts,
                                           const separator_boundary& boundary) {
  std::vector<std::string> records;
  std::uint64_t expected_offset = 0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const std::optional<chunk> part = slice(whole, 3, cuts[i], cuts[i + 1], boundary);
    if (!part) {
      continue;
    }
    REQUIRE(part->size > 0);
    REQUIRE(part->source == 3);
    REQUIRE(part->offset == expected_offset);
    REQUIRE(part->offset >= cuts[i]);
    REQUIRE(part->offset < cuts[i + 1]);
    REQUIRE(part->data == whole.bytes().data + part->offset);
    expected_offset += part->size;
    for (std::string& record : boundary.records(part->bytes().text())) {
      records.push_back(std::move(record));
    }
  }
  REQUIRE(expected_offset == whole.units());
  return records;
}

}  // namespace

TEST_CASE("slices of every grain give every record once", "[input][slice]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (const separator_boundary& boundary : boundaries()) {
    for (std::size_t size = 0; size <= 70; ++size) {
      const std::string text = test::random_text(random, size);
      CAPTURE(text);
      const input in = text_input(text);
      const std::vector<std::string> expected = boundary.records(text);
      for (std::uint64_t grain = 1; grain <= 20; ++grain) {
        CAPTURE(grain);
        std::vector<std::uint64_t> cuts;
        for (std::uint64_t at = 0; at < size; at += grain) {
          cuts.push_back(at);
        }
        cuts.push_back(size);
        REQUIRE(records_of_slices(in[0], cuts, boundary) == expected);
      }
    }
  }
}

TEST_CASE("slices of uneven sizes give every record once", "[input][slice]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (const separator_boundary& boundary : boundaries()) {
    for (int round = 0; round < 300; ++round) {
      const std::string text = test::random_text(random, random() % 200);
      CAPTURE(text);
      const input in = text_input(text);
      std::vector<std::uint64_t> cuts{0, text.size()};
      for (std::uint64_t n = random() % 12; n > 0; --n) {
        cuts.push_back(random() % (text.size() + 1));  // equal cuts make empty slices
      }
      std::sort(cuts.begin(), cuts.end());
      REQUIRE(records_of_slices(in[0], cuts, boundary) == boundary.records(text));
    }
  }
}

TEST_CASE("a record over many slices belongs to the slice in which it starts", "[input][slice]") {
  const input in = text_input("ab\n" + std::string(100, 'x') + "\ncd");
  const separator_boundary lines("\n");
  CHECK_FALSE(slice(in[0], 0, 10, 20, lines));
  CHECK_FALSE(slice(in[0], 0, 100, 104, lines));

  const std::optional<chunk> long_record = slice(in[0], 0, 1, 10, lines);
  REQUIRE(long_record);
  CHECK(long_record->offset == 3);
  CHECK(long_record->size == 101);

  const std::optional<chunk> last = slice(in[0], 0, 104, 106, lines);
  REQUIRE(last);
  CHECK(last->bytes().text() == "cd");
}

TEST_CASE("a long record is scanned at most twice", "[input][slice]") {
  constexpr std::uint64_t size = 200'000;
  const input in = text_input("ab\n" + std::string(size - 3, 'x'));
  const separator_boundary lines("\n");
  for (std::uint64_t at = 0; at < size; at += 10) {
    const std::optional<chunk> part = slice(in[0], 0, at, at + 10, lines);
    CHECK(part.has_value() == (at == 0));
  }
  CHECK(lines.looked_at() <= 2 * size + 1000);
}

TEST_CASE("slices of an index range are the slices themselves", "[input][slice]") {
  class any_index final : public boundary {
   public:
    [[nodiscard]] std::uint64_t first_start(byte_view, std::uint64_t from, std::uint64_t) const override {
      return from;
    }
    [[nodiscard]] std::uint64_t last_start(byte_view block) const override { return block.size; }
    [[nodiscard]] std::uint64_t grain() const override { return 1; }
  };
  constexpr std::uint64_t count = std::uint64_t{1} << 40;
  const input in = index_input(count);
  const std::optional<chunk> part = slice(in[0], 2, count - 7, count, any_index());
  REQUIRE(part);
  CHECK(part->data == nullptr);
  CHECK(part->offset == count - 7);
  CHECK(part->size == 7);
  CHECK(part->source == 2);
  CHECK_FALSE(slice(in[0], 2, 5, 5, any_index()));
  CHECK_FALSE(slice(in[0], 2, count, count, any_index()));
}

TEST_CASE("an empty source has no slices", "[input][slice]") {
  const input in = text_input("");
  CHECK_FALSE(slice(in[0], 0, 0, 0, separator_boundary("\n")));
}

TEST_CASE("a slice outside its source is a bug of the caller", "[input][slice]") {
  const input in = text_input("abc");
  const separator_boundary lines("\n");
  CHECK_THROWS_AS(slice(in[0], 0, 0, 4, lines), std::logic_error);
  CHECK_THROWS_AS(slice(in[0], 0, 2, 1, lines), std::logic_error);
}

}  // namespace duomap::test::core_input_slice_test
