// Tests the keyed hash, for texts that an attacker may have chosen.
#include "core/text/keyed_hash.hpp"

#include "tests/catch.hpp"
#include "tests/support/colliding_texts.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::core_text_keyed_hash_test {
// Python 3.11 hashes bytes in the same way, and gave the values: PYTHONHASHSEED=0 python3 -c
// "print(hash(b'a'))".
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

}  // namespace duomap::test::core_text_keyed_hash_test
