// Tests that texts with equal hashes get numbers in the order of their first appearance.
#include "numeric/common/text_dictionary.hpp"

#include "tests/catch.hpp"
#include "tests/support/colliding_texts.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::numeric_common_text_dictionary_test {

TEST_CASE("keyed hash: a dictionary numbers its texts in the order in which they come", "[hash]") {
  const std::vector<std::string> texts = texts_of_one_hash(5'000);
  text_dictionary all;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < texts.size(); ++i) REQUIRE(all.number_of(std::string_view(texts[i])) == i);
  }
}

}  // namespace duomap::test::numeric_common_text_dictionary_test
