// Tests that texts of the input stay readable by their places without the input.
#include "core/partial/place_texts.hpp"

#include "core/error.hpp"
#include "core/input/input_texts.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <string>
#include <vector>

namespace duomap::test::core_partial_place_texts_test {

TEST_CASE("place_texts: copies of an input's texts outlive it", "[place_texts]") {
  const text_place first{3, 0, 0}, second{2, 1, 1}, nothing{0, 5, 1};
  place_texts texts;
  for (const layout form : {layout::addressable, layout::streamed}) {
    {
      const input from = make_input({"", {"abc", "a longer text"}}, form);
      texts = place_texts(from, {first, second, nothing, first});
    }
    CHECK(texts.size() == 3);
    CHECK(*texts.find(first) == "abc");
    CHECK(*texts.find(second) == " l");
    CHECK(texts.find(nothing)->empty());
    CHECK(texts.find({2, 0, 0}) == nullptr);
  }
}

TEST_CASE("place_texts: what two parts have is the same, or an error that names the part", "[place_texts]") {
  place_texts all, same, other;
  REQUIRE(all.add({1, 0, 0}, "a"));
  CHECK(all.add({1, 0, 0}, "a"));
  CHECK_FALSE(all.add({1, 0, 0}, "b"));
  REQUIRE(same.add({1, 0, 0}, "a"));
  REQUIRE(same.add({1, 4, 0}, "e"));
  REQUIRE(same.add({2, 4, 0}, "ef"));
  all.add(same, "'same'");
  CHECK(all.size() == 3);
  all.keep({{1, 0, 0}, {2, 4, 0}, {9, 9, 9}});
  CHECK(all.size() == 2);
  CHECK(all.find({1, 4, 0}) == nullptr);
  REQUIRE(other.add({2, 4, 0}, "EF"));
  CHECK_THROWS_WITH(all.add(other, "'other.part'"), contains("'other.part'"));
}

TEST_CASE("input_texts: of stored texts, and of places that have none", "[place_texts]") {
  place_texts stored;
  REQUIRE(stored.add({3, 7, 2}, "abc"));
  const input_texts texts(stored, {{3, 7, 2}, {0, 9, 9}});
  CHECK(texts[{3, 7, 2}].text() == "abc");
  CHECK(texts[{0, 9, 9}].size == 0);
  CHECK_THROWS_AS(input_texts(stored, {{2, 7, 2}}), usage_error);
  CHECK_THROWS_AS(input_texts(text_input("abc"), {{1, 0, 1}}), usage_error);
}

}  // namespace duomap::test::core_partial_place_texts_test
