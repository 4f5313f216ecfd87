// Tests compact keys, which take 16 bytes whatever their length.
#include "core/compact_key.hpp"

#include "core/key_arena.hpp"
#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace duomap::test::core_compact_key_test {

namespace {

compact_key short_key(std::string_view bytes) { return compact_key::of_short(bytes); }

compact_key key_of(std::string_view bytes, key_arena& arena) {
  if (bytes.size() <= compact_key::max_inline) return short_key(bytes);
  return compact_key::of_stored(hash_long(bytes), arena.store(bytes));
}

std::vector<std::string> interesting_keys() {
  std::vector<std::string> keys;
  for (std::size_t size = 0; size <= 40; ++size) {
    keys.emplace_back(size, '\0');
    keys.emplace_back(size, 'a');
    keys.emplace_back(size, '\xFF');
    if (size == 0) continue;
    keys.push_back(std::string(size - 1, 'a') + 'b');
    keys.push_back('b' + std::string(size - 1, 'a'));
    keys.push_back(std::string(size - 1, 'a') + '\0');
    keys.push_back('\0' + std::string(size - 1, 'a'));
    keys.push_back(std::string(size / 2, 'a') + '\0' + std::string(size - size / 2 - 1, 'a'));
  }
  keys.emplace_back(std::size_t{1} << 20, 'a');
  keys.push_back(std::string((std::size_t{1} << 20) - 1, 'a') + 'b');
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace

static_assert(sizeof(compact_key) == 16 && std::is_trivially_copyable_v<compact_key>);

TEST_CASE("a key of any length comes back as it was", "[compact_key]") {
  key_arena arena;
  for (const std::string& bytes : interesting_keys()) {
    CAPTURE(bytes.size());
    const compact_key key = key_of(bytes, arena);
    CHECK((key.bytes().text() == bytes));
    CHECK(key.is_short() == (bytes.size() <= 15));
    CHECK(key.occupied());
    const compact_key copy = key;
    CHECK((copy.bytes().text() == bytes));
  }
}

TEST_CASE("keys are equal when their bytes are", "[compact_key]") {
  key_arena first_arena;
  key_arena second_arena;
  std::vector<compact_key> first;
  std::vector<compact_key> second;
  const std::vector<std::string> keys = interesting_keys();
  for (const std::string& bytes : keys) {
    first.push_back(key_of(bytes, first_arena));
    second.push_back(key_of(bytes, second_arena));
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = 0; j < keys.size(); ++j) {
      if ((first[i] == second[j]) != (i == j) || (first[i] == first[j]) != (i == j)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("keys that differ in trailing zeros only are different", "[compact_key]") {
  using namespace std::string_view_literals;
  CHECK_FALSE(short_key(""sv) == short_key("\0"sv));
  CHECK_FALSE(short_key("a"sv) == short_key("a\0"sv));
  CHECK_FALSE(short_key("12345678"sv) == short_key("12345678\0"sv));
  CHECK_FALSE(short_key(std::string(14, '\0')) == short_key(std::string(15, '\0')));
}

TEST_CASE("no key is an empty slot", "[compact_key]") {
  CHECK_FALSE(compact_key().occupied());
  CHECK(compact_key::of_short({}).occupied());
  CHECK(short_key(std::string(15, '\0')).occupied());
  key_arena arena;
  CHECK(compact_key::of_stored(0, arena.store(std::string_view(std::string(16, '\0')))).occupied());
}

TEST_CASE("a key without an address is the empty key", "[compact_key]") {
  const compact_key nothing = compact_key::of_short(byte_view{});
  CHECK(nothing == short_key(""));
  CHECK(nothing.bytes().empty());
}

// A comparison reads a short key as two words, so the words must not hold bytes from around the key.
TEST_CASE("a short key is made of its own bytes only", "[compact_key]") {
  for (std::size_t size = 0; size <= compact_key::max_inline; ++size) {
    const std::string bytes(size, 'k');
    const std::string surrounded = "kkkk" + bytes + "zzzz";
    CHECK(compact_key::of_short({surrounded.data() + 4, size}) == short_key(bytes));
    const test::guarded_bytes guarded(bytes);
    CHECK(compact_key::of_short(guarded.view()) == short_key(bytes));
  }
}

TEST_CASE("long keys of one hash are told apart by their bytes", "[compact_key]") {
  key_arena arena;
  constexpr std::uint64_t hash = 42;
  const std::string bytes(20, 'a');
  const compact_key key = compact_key::of_stored(hash, arena.store(std::string_view(bytes)));
  CHECK(key.hash() == hash);
  CHECK(key == compact_key::of_stored(hash, arena.store(std::string_view(bytes))));
  CHECK_FALSE(key == compact_key::of_stored(hash, arena.store(std::string_view(std::string(19, 'a') + 'b'))));
  CHECK_FALSE(key == compact_key::of_stored(hash, arena.store(std::string_view(std::string(21, 'a')))));
  CHECK_FALSE(key == compact_key::of_stored(hash + 1, arena.store(std::string_view(bytes))));
  CHECK(key.is_long_key(hash, std::string_view(bytes)));
  CHECK_FALSE(key.is_long_key(hash, std::string_view(bytes).substr(1)));
  CHECK_FALSE(key.is_long_key(hash + 1, std::string_view(bytes)));
  CHECK_FALSE(short_key("aaaa").is_long_key(hash, std::string_view(bytes)));
}

// A short key may consist of any bytes, even the hash and address that a long key would store.
TEST_CASE("a short key that looks like a long one is another key", "[compact_key]") {
  key_arena arena;
  const std::string bytes(16, 'a');
  const compact_key long_key =
      compact_key::of_stored(hash_long(std::string_view(bytes)), arena.store(std::string_view(bytes)));
  for (std::size_t size = 0; size <= compact_key::max_inline; ++size) {
    const compact_key look_alike = compact_key::of_short({reinterpret_cast<const char*>(&long_key), size});
    CHECK_FALSE(look_alike == long_key);
    CHECK_FALSE(long_key == look_alike);
    CHECK(look_alike.is_short());
  }
}

}  // namespace duomap::test::core_compact_key_test
