// Helpers for tests of the combining table: list its contents, and make keys for it.
#pragma once

#include "core/combining_table.hpp"
#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "core/reduce.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/sequence_reduction.hpp"
#include "tests/support/colliding_words.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::test::core_combining_table_test {

using in_order = test::concatenation<false>;
using model = std::map<std::string, sequence>;

// A torture build puts all keys into one probe chain, so it gets fewer.
inline constexpr std::uint64_t many_keys = torture_hash ? 300 : 20'000;

/// The bytes of a number as text.
inline const char* as_chars(const std::uint64_t& number) { return reinterpret_cast<const char*>(&number); }

inline void fold(combining_table<sequence>& table, key_arena& arena, std::string_view key,
                 const sequence& value) {
  if (key.size() > compact_key::max_inline) {
    table.reduce_long(key, hash_long(key), value, in_order{}, arena);
    return;
  }
  std::uint64_t words[2];
  const compact_key compact = compact_key::of_short(key);
  std::memcpy(words, &compact, sizeof words);
  table.reduce_short<2, false>(words[0], words[1], compact.hash(), value, in_order{});
}

inline void fold(model& expected, const std::string& key, const sequence& value) {
  const auto [place, is_new] = expected.emplace(key, value);
  if (!is_new) place->second = in_order{}(place->second, value);
}

/// The entries of a table; the test fails if a key occurs twice.
template <class Table>
model entries(const Table& table) {
  model found;
  table.for_each([&](const auto& entry) {
    const bool is_new = found.emplace(entry.key.bytes().text(), entry.value).second;
    if (!is_new) FAIL("a key stands in the table twice: " << entry.key.bytes().text());
  });
  return found;
}

/// The entries by partition; the test fails if an entry comes with a wrong partition.
template <class Table>
model entries_by_partition(const Table& table) {
  model found;
  for (unsigned partition = 0; partition < partition_count; ++partition) {
    table.for_each_in_partition(partition, [&](const auto& entry) {
      if (partition_of(entry.key.hash()) != partition) FAIL("an entry of another partition");
      const bool is_new = found.emplace(entry.key.bytes().text(), entry.value).second;
      if (!is_new) FAIL("an entry comes twice: " << entry.key.bytes().text());
    });
  }
  return found;
}

/// Whether an entry lies in a slot of the table, not in the map beside the slots.
template <class Table, class Entry>
bool has_slot(const Table& table, const Entry& entry) {
  return std::less_equal<const Entry*>()(table.home(0), &entry) &&
         std::less_equal<const Entry*>()(&entry, table.home(~std::uint64_t{0}));
}

template <class Table>
std::uint64_t keys_without_a_slot(const Table& table) {
  std::uint64_t keys = 0;
  table.for_each([&](const auto& entry) { keys += !has_slot(table, entry); });
  return keys;
}

/// The largest number of slots between a key and its home.
template <class Table>
std::uint64_t farthest_way(const Table& table) {
  const std::uint64_t slots = static_cast<std::uint64_t>(table.home(~std::uint64_t{0}) - table.home(0)) + 1;
  std::uint64_t farthest = 0;
  table.for_each([&](const auto& entry) {
    if (!has_slot(table, entry)) return;
    const auto way = static_cast<std::uint64_t>(&entry - table.home(entry.key.hash())) & (slots - 1);
    farthest = std::max(farthest, way);
  });
  return farthest;
}

using key_maker = std::function<std::string(std::mt19937&)>;

inline std::vector<std::pair<std::string, key_maker>> key_makers() {
  return {
      {"one key",
       [](std::mt19937&) {
         return std::string("the");
       }},
      {"short numbers",
       [](std::mt19937& random) {
         return std::to_string(random() % many_keys);
       }},
      {"long numbers",
       [](std::mt19937& random) {
         return "a key that is longer than fifteen bytes " + std::to_string(random() % many_keys);
       }},
      {"lengths 0 to 40, two letters",
       [](std::mt19937& random) {
         std::string key(random() % 41, 'a');
         for (char& c : key) c = random() % 16 == 0 ? 'b' : 'a';
         return key;
       }},
      {"skewed",
       [](std::mt19937& random) {
         const std::uint64_t rank = (std::uint64_t{1} << random() % 15) - 1 + random() % 3;
         return (rank % 7 == 0 ? "a long key of the skewed set " : "s") + std::to_string(rank % many_keys);
       }},
      {"bytes of any value",
       [](std::mt19937& random) {
         std::string key(random() % 3 + 14 * (random() % 2), '\0');
         for (char& c : key) c = static_cast<char>(random() % 4 == 0 ? random() : 0);
         return key;
       }},
  };
}

}  // namespace duomap::test::core_combining_table_test
