// Tests that words with colliding hashes are counted like others.
#include "apps/tasks/wordcount/wordcount.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/colliding_words.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace duomap::test::facade_colliding_keys_test {

TEST_CASE("words that collide are counted by several workers", "[combining_table]") {
  const std::vector<std::string> words = test::colliding_words(torture ? 2000 : 80'000, 64);
  std::string text;
  std::map<std::string, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < words.size() + words.size() / 2; ++i) {
    const std::string& word = words[i % words.size()];
    text += word + (i % 5 == 0 ? " and\n" : "\n");
    ++expected[word];
    if (i % 5 == 0) ++expected["and"];
  }
  const auto counts =
      run(apps::wordcount{}, view_input(text), {.device = device_choice::cpu, .threads = 4, .learn = false});
  std::map<std::string, std::uint64_t> found;
  counts.for_each([&](byte_view word, std::uint64_t count) { found.emplace(word.text(), count); });
  CHECK((found == expected));
}

}  // namespace duomap::test::facade_colliding_keys_test
