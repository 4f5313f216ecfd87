// The hash of texts from strangers.
#include "core/text/keyed_hash.hpp"

#include "apps/algorithms/numeric/text_dictionary.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::core_keyed_hash_test {
namespace {

/// Texts of 16 bytes that libstdc++'s hash takes for one: each of its steps can be undone.
std::vector<std::string> texts_of_one_hash(std::uint64_t count) {
  constexpr std::uint64_t factor = (std::uint64_t{0xc6a4a793} << 32) + 0x5bd1e995;
  std::uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;
  const auto mixed = [](std::uint64_t word) {
    return word ^ word >> 47;
  };
  const std::uint64_t start = 0xc70f6907 ^ 16 * factor;
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t after_first = (start ^ mixed(i * factor) * factor) * factor;
    const std::uint64_t second = mixed((after_first ^ 12345) * inverse) * inverse;
    std::string text(16, '\0');
    std::memcpy(text.data(), &i, sizeof i);
    std::memcpy(text.data() + 8, &second, sizeof second);
    texts.push_back(text);
  }
  return texts;
}

}  // namespace

// What Python 3.11 says, whose hash of bytes it is: PYTHONHASHSEED=0 python3 -c "print(hash(b'a'))".
TEST_CASE("keyed hash: SipHash-1-3", "[hash]") {
  CHECK(sip_hash(std::string_view("a"), {}) == 0x407448d2b89b1813);
  CHECK(sip_hash(std::string_view("abcdefg"), {}) == 0x6db12aae9070f506);
  CHECK(sip_hash(std::string_view("abcdefgh"), {}) == 0x3f7b849c0b8e35ea);
  CHECK(sip_hash(std::string_view("abcdefghi"), {}) == 0xf89b34a3d11eb6e5);
  CHECK(sip_hash(std::string_view("the quick brown fox jumps"), {}) == 0xc98b97e4f70042);
  CHECK(sip_hash(std::string_view("a"), {1, 0}) != sip_hash(std::string_view("a"), {}));
  CHECK(sip_hash(std::string_view("a"), {0, 1}) != sip_hash(std::string_view("a"), {}));
}

TEST_CASE("keyed hash: texts that collide elsewhere do not collide", "[hash]") {
  const std::vector<std::string> texts = texts_of_one_hash(10'000);
#ifdef __GLIBCXX__
  for (const std::string& one : texts)
    REQUIRE(std::hash<std::string>()(one) == std::hash<std::string>()(texts[0]));
#endif
  std::set<std::uint64_t> hashes;
  for (const std::string& one : texts) hashes.insert(keyed_hash()(one));
  CHECK(hashes.size() == texts.size());
}

TEST_CASE("keyed hash: a dictionary numbers its texts in the order in which they come", "[hash]") {
  const std::vector<std::string> texts = texts_of_one_hash(5'000);
  text_dictionary all;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < texts.size(); ++i) REQUIRE(all.number_of(std::string_view(texts[i])) == i);
  }
}

}  // namespace duomap::test::core_keyed_hash_test
