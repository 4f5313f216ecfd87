// Tests that entries are grouped by key, in comparison with a stable sort.
#include "core/result/collected.hpp"

#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/key_arena.hpp"
#include "tests/catch.hpp"
#include "tests/support/colliding_words.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::test::core_result_collected_test {

namespace {

using rows = std::vector<std::pair<std::string, std::uint64_t>>;

/// Groups the keys with grouped_by_key(). The value of each key is its place in `keys`.
rows grouped(const std::vector<std::string>& keys, unsigned workers) {
  key_arena arena;
  emit_list<std::uint64_t> all;
  for (std::uint64_t i = 0; i < keys.size(); ++i)
    all.push_back({store_bytes({keys[i].data(), keys[i].size()}, arena), i});
  threaded_pool pool(workers);
  rows found;
  for (const auto& entry : grouped_by_key<byte_view, std::uint64_t>(std::move(all), pool))
    found.emplace_back(entry.key.bytes().text(), entry.value);
  return found;
}

rows sorted(const std::vector<std::string>& keys) {
  rows expected;
  for (std::uint64_t i = 0; i < keys.size(); ++i) expected.emplace_back(keys[i], i);
  std::ranges::stable_sort(expected, {}, &rows::value_type::first);
  return expected;
}

}  // namespace

TEST_CASE("entries are grouped by key by any number of workers", "[group_by_key]") {
  std::mt19937 random(seed());
  for (const unsigned workers : {1U, 2U, 5U}) {
    for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 2, 7, 100, 8191, 8192, 40'000}) {
      if (torture && size > 1000) continue;  // a torture build would make size / 2 pieces, each for a thread
      for (const std::uint32_t distinct : {1U, 30U, 1'000'000'000U}) {
        CAPTURE(workers, size, distinct);
        std::vector<std::string> keys(size);
        for (std::string& key : keys) {
          key = std::to_string(random() % distinct);
          if (key.back() == '7') key += " is longer than fifteen bytes";
          if (key.back() == '3') key.clear();
        }
        CHECK((grouped(keys, workers) == sorted(keys)));
      }
    }
  }
}

TEST_CASE("entries are grouped by keys that collide", "[group_by_key]") {
  std::vector<std::string> keys = colliding_words(torture ? 200 : 2000, 64);
  const std::vector<std::string> again = keys;
  keys.insert(keys.end(), again.rbegin(), again.rend());
  CHECK((grouped(keys, 2) == sorted(keys)));
}

TEST_CASE("keys that their own order takes for equal are groups of their own", "[group_by_key]") {
  struct tens {
    std::uint32_t number;
    bool operator<(const tens& other) const { return number / 10 < other.number / 10; }
  };
  emit_list<std::uint64_t> all;
  for (const std::uint32_t number : {21U, 12U, 11U, 12U, 3U}) {
    const tens key{number};
    all.push_back({compact_key::of_short(key_bytes(key)), number});
  }
  threaded_pool pool(2);
  std::vector<std::uint64_t> found;
  for (const auto& entry : grouped_by_key<tens, std::uint64_t>(std::move(all), pool))
    found.push_back(entry.value);
  CHECK(found == std::vector<std::uint64_t>{3, 11, 12, 12, 21});
}

}  // namespace duomap::test::core_result_collected_test
