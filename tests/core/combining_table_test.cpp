// Tests the combining table against an ordered map, and the order of the table's partitions.
#include "core/combining_table.hpp"

#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "core/reduce.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/sequence_reduction.hpp"
#include "tests/core/table_contents.hpp"
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

using test::contains;
using test::sequence;
using test::sequence_of;

TEST_CASE("a table folds like a map, each key in the order of the calls", "[combining_table]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (const auto& [name, make_key] : key_makers()) {
    CAPTURE(name);
    combining_table<sequence> table;
    key_arena arena;
    model expected;
    const std::uint64_t emits = torture_hash ? 3000 : 100'000;
    for (std::uint64_t i = 0; i < emits; ++i) {
      const std::string key = make_key(random);
      fold(table, arena, key, sequence_of(i));
      fold(expected, key, sequence_of(i));
    }
    CHECK(table.size() == expected.size());
    CHECK((entries(table) == expected));
    CHECK((entries_by_partition(table) == expected));
  }
}

TEST_CASE("every step of a table's growth keeps all entries", "[combining_table]") {
  combining_table<sequence> table;
  key_arena arena;
  model expected;
  std::uint64_t capacity = table.capacity_bytes();
  unsigned growths = 0;
  for (std::uint64_t i = 0; i < many_keys; ++i) {
    const std::string key = (i % 5 == 0 ? "a key too long to be held whole " : "") + std::to_string(i);
    fold(table, arena, key, sequence_of(i));
    fold(expected, key, sequence_of(i));
    CHECK(table.size() * 2 * sizeof(keyed_entry<sequence>) <= table.capacity_bytes());
    if (table.capacity_bytes() == capacity) continue;
    CHECK(table.capacity_bytes() == 2 * capacity);
    capacity = table.capacity_bytes();
    ++growths;
    CHECK((entries(table) == expected));
    CHECK((entries_by_partition(table) == expected));
  }
  CHECK(growths >= 5);
}

TEST_CASE("keys in the order of their hashes stay near their homes", "[combining_table]") {
  if (torture_hash) return;  // torture_hash gives all keys one hash
  std::map<std::uint64_t, std::uint64_t> by_hash;
  for (std::uint64_t i = 0; i < 50'000; ++i)
    by_hash[compact_key::of_short({as_chars(i), sizeof i}).hash()] = i;
  combining_table<std::uint64_t> table;
  std::uint64_t farthest = 0;
  for (const auto& [hash, i] : by_hash) {
    table.reduce_stored(compact_key::of_short({as_chars(i), sizeof i}), i, sum<std::uint64_t>{});
    if (table.size() % 1000 != 0) continue;
    farthest = std::max(farthest, keys_without_a_slot(table));
  }
  CHECK(table.size() == by_hash.size());
  CHECK(farthest < by_hash.size() / 10);
}

TEST_CASE("keys that are made to collide take bounded work and no more memory than others",
          "[combining_table]") {
  for (const std::uint64_t keys : {100U, 1000U, 10'000U, 80'000U}) {
    for (const unsigned equal_bits : {64U, 40U, 16U}) {
      CAPTURE(keys, equal_bits);
      combining_table<std::uint64_t> table;
      const std::vector<std::string> words = test::colliding_words(keys, equal_bits);
      for (std::uint64_t times = 1; times <= 2; ++times) {
        for (const std::string& word : words) {
          table.reduce_stored(compact_key::of_short(std::string_view(word)), times, sum<std::uint64_t>{});
        }
      }
      CHECK(table.size() == keys);
      // Keys with equal hash bits must not make the table probe through all of its slots.
      CHECK(farthest_way(table) < max_probe_length);
      CHECK(table.capacity_bytes() <=
            std::max<std::uint64_t>(1024, keys * 32) * sizeof(keyed_entry<std::uint64_t>));
      std::map<std::string, std::uint64_t> found;
      table.for_each([&](const auto& entry) { found.emplace(entry.key.bytes().text(), entry.value); });
      std::uint64_t by_partition = 0;
      for (unsigned p = 0; p < partition_count; ++p) {
        table.for_each_in_partition(p, [&](const auto& entry) {
          by_partition += found.at(std::string(entry.key.bytes().text())) == entry.value &&
                          partition_of(entry.key.hash()) == p;
        });
      }
      CHECK(by_partition == keys);
      CHECK(std::ranges::all_of(words, [&](const std::string& word) { return found.at(word) == 3; }));
    }
  }
}

TEST_CASE("a table made for a number of keys does not grow for as many", "[combining_table]") {
  for (const std::uint64_t keys : {0U, 1U, 2U, 3U, 100U, 128U, 512U, 513U, 700U}) {
    combining_table<sequence> table(keys);
    key_arena arena;
    const std::uint64_t capacity = table.capacity_bytes();
    CHECK(table.size() == 0);
    for (std::uint64_t i = 0; i < keys; ++i) fold(table, arena, std::to_string(i), sequence_of(i));
    CHECK(table.size() == keys);
    CHECK(table.capacity_bytes() == capacity);
  }
}

TEST_CASE("an empty table has nothing in any partition", "[combining_table]") {
  const combining_table<sequence> table;
  CHECK(entries(table).empty());
  CHECK(entries_by_partition(table).empty());
}

TEST_CASE("a cleared table is empty and keeps its memory", "[combining_table]") {
  combining_table<sequence> table;
  key_arena arena;
  for (int round = 0; round < 3; ++round) {
    model expected;
    for (std::uint64_t i = 0; i < many_keys / 10; ++i) {
      const std::string key = std::to_string(i * static_cast<std::uint64_t>(round + 1));
      fold(table, arena, key, sequence_of(i));
      fold(expected, key, sequence_of(i));
    }
    CHECK((entries(table) == expected));
    const std::uint64_t capacity = table.capacity_bytes();
    table.clear();
    CHECK(table.size() == 0);
    CHECK(table.capacity_bytes() == capacity);
    CHECK(entries(table).empty());
    CHECK(entries_by_partition(table).empty());
  }
}

// The test stores long keys with hashes of its choice, and so decides where in the table they lie.
TEST_CASE("entries that probing pushed away are found with their partition", "[combining_table]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const auto all = [](std::uint64_t top_byte) {
    return [top_byte](std::uint64_t) {
      return top_byte << 56;
    };
  };
  const auto among = [&](std::uint64_t low, std::uint64_t count) {
    return [&random, low, count](std::uint64_t) {
      return (low + random() % count) << 56 | random() >> 8;
    };
  };
  const std::vector<std::pair<std::string, std::function<std::uint64_t(std::uint64_t)>>> hashes = {
      {"the last slot",
       [](std::uint64_t) {
         return ~std::uint64_t{0};
       }},
      {"the first slot",
       [](std::uint64_t) {
         return std::uint64_t{0};
       }},
      {"the last and the first slot",
       [](std::uint64_t i) {
         return i % 2 == 0 ? ~std::uint64_t{0} : 0;
       }},
      {"the last slot of a partition",
       [](std::uint64_t) {
         return std::uint64_t{0x37FFFFFFFFFFFFFF};
       }},
      {"one partition", all(0x80)},
      {"three neighbours", among(0x40, 3)},
      {"the last two", among(0xFE, 2)},
      {"anywhere", among(0, 256)},
  };
  for (const auto& [name, hash_of] : hashes) {
    for (const std::uint64_t keys : {1U, 2U, 3U, 64U, 511U, 512U, 513U, 1500U}) {
      CAPTURE(name, keys);
      combining_table<sequence> table;
      key_arena arena;
      model expected;
      for (std::uint64_t i = 0; i < keys; ++i) {
        const std::string key = "sixteen bytes or more " + std::to_string(i);
        const std::uint64_t hash = hash_of(i);
        // The second round looks up every key that other keys have pushed away from its home.
        for (int twice = 0; twice < 2; ++twice) {
          table.reduce_long(std::string_view(key), hash, sequence_of(i), in_order{}, arena);
          fold(expected, key, sequence_of(i));
        }
      }
      CHECK(table.size() == keys);
      CHECK((entries(table) == expected));
      CHECK((entries_by_partition(table) == expected));
    }
  }
}

TEST_CASE("a table of one partition leaves its bits out", "[combining_table]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const std::uint64_t partition : {0U, 1U, 127U, 255U}) {
    for (const std::uint64_t keys : {0U, 1U, 5U, 200U, 3000U}) {
      for (const std::uint64_t expected_keys : {std::uint64_t{0}, keys}) {
        CAPTURE(partition, keys, expected_keys);
        combining_table<sequence, partition_bits> table(expected_keys);
        key_arena arena;
        model expected;
        std::uint64_t away_from_home = 0;
        for (std::uint64_t i = 0; i < keys; ++i) {
          const std::string key = "sixteen bytes or more " + std::to_string(i);
          const std::uint64_t hash = partition << 56 | random() >> 8;
          const bool home_was_free = !table.home(hash)->key.occupied();
          if (!home_was_free) ++away_from_home;
          for (int twice = 0; twice < 2; ++twice) {
            table.reduce_stored(compact_key::of_stored(hash, arena.store(std::string_view(key))),
                                sequence_of(i), in_order{});
            fold(expected, key, sequence_of(i));
          }
        }
        CHECK(table.size() == keys);
        CHECK((entries(table) == expected));
        CHECK((entries_by_partition(table) == expected));
        // At most half full. An index that used the hash bits that all keys share would find few homes free.
        CHECK(away_from_home <= keys / 2 + 3);
      }
    }
  }
}

TEST_CASE("a table folds in the entries of another", "[combining_table]") {
  key_arena arena;
  combining_table<sequence> from;
  combining_table<sequence> into;
  model expected;
  for (std::uint64_t i = 0; i < many_keys; ++i) {
    const std::string key =
        (i % 3 == 0 ? "a key longer than fifteen bytes " : "k") + std::to_string(i % (many_keys / 2));
    fold(i % 2 == 0 ? into : from, arena, key, sequence_of(i));
    if (i % 2 == 0) fold(expected, key, sequence_of(i));
  }
  from.for_each([&](const auto& entry) {
    into.reduce_stored(entry.key, entry.value, in_order{});
    fold(expected, std::string(entry.key.bytes().text()), entry.value);
  });
  CHECK((entries(into) == expected));
}

TEST_CASE("a value is folded into a key that stands here, and no key is added", "[combining_table]") {
  for (const unsigned equal_bits : {64U, 16U}) {  // 64: most lie in the map, not in slots; 16: all in slots
    const std::vector<std::string> words = test::colliding_words(1000, equal_bits);
    const auto key = [&](std::size_t i) {
      return compact_key::of_short(std::string_view(words[i]));
    };
    combining_table<std::uint64_t> table;
    for (std::size_t i = 0; i < words.size(); i += 2) table.reduce_stored(key(i), 1, sum<std::uint64_t>{});
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
      wrong += table.reduce_known(key(i), 10, sum<std::uint64_t>{}) != (i % 2 == 0);
    CHECK(wrong == 0);
    CHECK(table.size() == words.size() / 2);
    table.for_each([&](const auto& entry) { wrong += entry.value != 11; });
    CHECK(wrong == 0);
  }
}

TEST_CASE("home is where a key of an empty table goes", "[combining_table]") {
  combining_table<sequence> table;
  key_arena arena;
  const std::string_view key = "a key that is long enough";
  for (const std::uint64_t hash : {std::uint64_t{0}, ~std::uint64_t{0}, hash_long(key)}) {
    table.clear();
    CHECK_FALSE(table.home(hash)->key.occupied());
    table.reduce_long(key, hash, sequence_of(1), in_order{}, arena);
    CHECK(table.home(hash)->key.is_long_key(hash, key));
  }
}

TEST_CASE("values of any size are kept", "[combining_table]") {
  struct wide {
    std::uint64_t numbers[37];
  };
  struct add_numbers {
    wide operator()(const wide& a, const wide& b) const {
      wide added{};
      for (int i = 0; i < 37; ++i) added.numbers[i] = a.numbers[i] + b.numbers[i];
      return added;
    }
  };
  combining_table<wide> table;
  const std::uint64_t keys = many_keys / 10;
  for (int twice = 0; twice < 2; ++twice) {
    for (std::uint64_t i = 0; i < keys; ++i) {
      wide value{};
      value.numbers[0] = 1;
      value.numbers[36] = i;
      const std::string key = std::to_string(i);
      table.reduce_stored(compact_key::of_short(std::string_view(key)), value, add_numbers{});
    }
  }
  std::uint64_t total = 0;
  table.for_each([&](const auto& entry) {
    CHECK(entry.value.numbers[0] == 2);
    total += entry.value.numbers[36];
  });
  CHECK(table.size() == keys);
  CHECK(total == keys * (keys - 1));

  combining_table<char> small;
  for (int i = 0; i < 300; ++i) {
    const std::string key = std::to_string(i % 100);
    small.reduce_stored(compact_key::of_short(std::string_view(key)), static_cast<char>(1), sum<char>{});
  }
  small.for_each([](const auto& entry) { CHECK(entry.value == 3); });
}

TEST_CASE("a table that does not fit into memory is an error that says how large it was",
          "[combining_table]") {
  constexpr std::uint64_t keys = std::uint64_t{1} << 44;
  CHECK_THROWS_AS(combining_table<std::uint64_t>(keys), out_of_memory);
  CHECK_THROWS_WITH(combining_table<std::uint64_t>(keys), contains("17592186044416 distinct keys"));
}

}  // namespace duomap::test::core_combining_table_test
