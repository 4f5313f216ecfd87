// Tests the key arena, the memory for the bytes of long keys.
#include "core/key_arena.hpp"

#include "core/config.hpp"
#include "core/zeroed_memory.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::test::core_key_arena_test {

namespace {

std::uint64_t length_before(const char* stored) {
  std::uint64_t length = 0;
  std::memcpy(&length, stored - sizeof length, sizeof length);
  return length;
}

}  // namespace

TEST_CASE("an arena keeps memory that it has taken over, and goes on storing", "[key_arena]") {
  const std::string key = "a key that was stored by somebody else";
  const char* where = nullptr;
  const char* own = nullptr;
  key_arena arena;
  {
    zeroed_memory block = allocate_zeroed(sizeof(std::uint64_t) + key.size(), "a test");
    const std::uint64_t size = key.size();
    char* const at = static_cast<char*>(block.get());
    std::memcpy(at, &size, sizeof size);
    std::memcpy(at + sizeof size, key.data(), key.size());
    where = at + sizeof size;
    own = arena.store(std::string_view("before"));
    arena.adopt(std::move(block));
  }
  const char* const later = arena.store(std::string_view("behind"));
  CHECK(std::string(where, length_before(where)) == key);
  CHECK(std::string(own, length_before(own)) == "before");
  CHECK(std::string(later, length_before(later)) == "behind");
  CHECK(arena.capacity() >= key.size() + 12 + 3 * sizeof(std::uint64_t));
}

TEST_CASE("stored keys stay where and what they are", "[key_arena]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  key_arena arena;
  std::vector<std::pair<const char*, std::string>> stored;
  std::uint64_t bytes = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::size_t longest[] = {20, 200, 6000};
    std::string key(random() % longest[random() % 3], static_cast<char>('a' + i % 26));
    stored.emplace_back(arena.store(std::string_view(key)), key);
    bytes += key.size() + sizeof(std::uint64_t);
    CHECK(arena.capacity() >= bytes);
  }
  for (const auto& [at, key] : stored) {
    REQUIRE(length_before(at) == key.size());
    REQUIRE((std::string_view(at, key.size()) == key));
  }
}

TEST_CASE("keys of every size around a block's fit", "[key_arena]") {
  for (const std::size_t block : {std::size_t{16}, std::size_t{4096}, std::size_t{1} << 20}) {
    for (std::size_t size = block - 10; size <= block + 2; ++size) {
      key_arena arena;
      const std::string key(size, 'k');
      const char* const first = arena.store(std::string_view(key));
      const char* const second = arena.store(std::string_view("behind it"));
      CHECK(length_before(first) == size);
      CHECK((std::string_view(first, size) == key));
      CHECK(std::string_view(second, 9) == "behind it");
    }
  }
}

TEST_CASE("an empty key can be stored", "[key_arena]") {
  key_arena arena;
  CHECK(length_before(arena.store(std::string_view(""))) == 0);
}

TEST_CASE("an arena without keys has no memory, with many hardly more than they need", "[key_arena]") {
  key_arena arena;
  CHECK(arena.capacity() == 0);
  const std::string key(24, 'k');
  arena.store(std::string_view(key));
  CHECK(arena.capacity() == (torture ? 32 : 4096));
  std::uint64_t bytes = 32;
  for (int i = 0; i < 50'000; ++i, bytes += 32) arena.store(std::string_view(key));
  CHECK(arena.capacity() < 2 * bytes + 4096);
}

TEST_CASE("keys survive a move of their arena", "[key_arena]") {
  key_arena arena;
  const char* const at = arena.store(std::string_view("a key that is stored"));
  const auto shared = std::make_shared<const key_arena>(std::move(arena));
  CHECK(std::string_view(at, 20) == "a key that is stored");
  CHECK(shared->capacity() > 0);
}

}  // namespace duomap::test::core_key_arena_test
