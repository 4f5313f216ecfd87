// Tests that a text of the input can be read by its place after the run.
#include "core/input/input_texts.hpp"

#include "core/error.hpp"
#include "core/record/fields.hpp"
#include "core/text_place.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap::test::core_input_input_texts_test {
namespace {

TEST_CASE("input_texts: texts by their places, of memory and of streams", "[input_texts]") {
  // One text spans several blocks of a stream, some lie inside a block, and empty texts lie at both ends.
  const std::string first(3'000'000, 'a'), second = "b" + std::string(10, 'c');
  const std::vector<text_place> places = {
      {second.size(), 0, 1},    {first.size(), 0, 0}, {2, 1'048'575, 0}, {0, first.size(), 0}, {0, 0, 0},
      {3, first.size() - 3, 0}, {2, 1'048'575, 0}};
  for (const layout form : {layout::addressable, layout::streamed, layout::alternating}) {
    const input from = make_input({"", {first, second}}, form);
    const input_texts texts(from, places);
    for (const text_place& place : places)
      CHECK(texts[place].text() == (place.source == 0 ? first : second).substr(place.offset, place.size));
    CHECK_THROWS_AS(input_texts(from, {{1, first.size(), 0}}), input_error);
    CHECK_THROWS_AS(input_texts(from, {{2, second.size() - 1, 1}}), input_error);
  }
  CHECK_THROWS_AS((input_texts(text_input("abc"), {{3, 0, 0}})[{2, 0, 0}]), std::logic_error);
}

TEST_CASE("input_texts: of a file that grew since it was read, and of one that was rewritten",
          "[input_texts]") {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("duomap-input-texts-" + std::to_string(::getpid()));
  const auto write = [&](std::string_view text, std::ios::openmode how) {
    std::ofstream(path, how) << text;
  };
  write("one two three\n", std::ios::trunc);
  const input from = open_input({path.string()});
  char block[100];
  const auto stream = from[0].open();
  while (stream->read(block, sizeof block) > 0) {
  }
  write("four\n", std::ios::app);
  const text_place two{3, 4, 0};
  CHECK(input_texts(from, {two})[two].text() == "two");
  write("one TWO three\nfour\n", std::ios::trunc);
  CHECK_THROWS_AS(input_texts(from, {two}), input_error);
  std::filesystem::remove(path);
}

TEST_CASE("text_place: the longest text, of equally long ones that which stands first", "[input_texts]") {
  std::vector<text_place> places;
  for (std::uint64_t i = 0; i < 27; ++i) places.push_back({i % 3, i / 3 % 3, i / 9});
  for (const text_place& a : places) {
    for (const text_place& b : places) {
      const auto where = [](const text_place& one) {
        return std::tuple(one.source, one.offset, one.size);
      };
      CHECK(first_text{}(a, b) == (where(b) < where(a) ? b : a));
      const bool second = b.size != a.size ? b.size > a.size : where(b) < where(a);
      CHECK(longest_text{}(a, b) == (second ? b : a));
    }
  }
}

TEST_CASE("text_place: of records and of what is in them", "[input_texts]") {
  const std::string text = "x,\"two, three\"";
  const line whole{byte_view(text), 100, 3};
  const field_list list(whole, ',', '"');
  byte_view field;
  REQUIRE(list.get(1, field));
  CHECK(place_of(list, field) == text_place{10, 103, 3});
  CHECK(place_of(list) == text_place{text.size(), 100, 3});
  CHECK(place_of(whole) == place_of(list));
}

TEST_CASE("text_place: reductions that keep one text do not depend on the order", "[input_texts]") {
  const text_place early{2, 5, 0}, late{2, 1, 1}, longer{3, 1, 1};
  for (const auto& [a, b] : {std::pair{early, late}, std::pair{late, early}}) {
    CHECK(longest_text{}(a, b) == early);
    CHECK(first_text{}(a, b) == early);
    CHECK(argmax_text<int>{}({1, a}, {1, b}).text == early);
    CHECK(argmin_text<int>{}({1, a}, {1, b}).text == early);
  }
  CHECK(longest_text{}(early, longer) == longer);
  CHECK(first_text{}(longer, late) == late);
  CHECK(first_text{}(late, longer) == late);
  CHECK(argmax_text<int>{}({1, early}, {2, late}).text == late);
  CHECK(argmin_text<int>{}({1, late}, {2, early}).text == late);
}

}  // namespace
}  // namespace duomap::test::core_input_input_texts_test
