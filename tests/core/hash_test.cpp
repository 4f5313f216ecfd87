// Tests the hash of keys: its values never change, and tables and partitions get evenly spread bits.
#include "core/hash.hpp"

#include "core/compact_key.hpp"
#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace duomap::test::core_hash_test {

namespace {

std::uint64_t hash_of(std::string_view key) { return hash_of_key(key); }

template <class Number>
std::string bytes_of(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

std::string padded(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

/// Sets of distinct keys that are as regular as real keys, such as numbers with leading zeros.
std::vector<std::pair<std::string, std::vector<std::string>>> structured_keys() {
  constexpr std::uint64_t count = 40'000;
  std::vector<std::pair<std::string, std::vector<std::string>>> sets;
  const auto add = [&](const std::string& name, const auto& key_of) {
    std::vector<std::string> keys;
    for (std::uint64_t i = 0; i < count; ++i) keys.push_back(key_of(i));
    sets.emplace_back(name, std::move(keys));
  };
  add("decimal numbers", [](std::uint64_t i) { return std::to_string(i); });
  add("numbers of 8 digits", [](std::uint64_t i) { return padded(i, 8); });
  add("numbers of 15 digits", [](std::uint64_t i) { return padded(i, 15); });
  add("numbers of 16 digits", [](std::uint64_t i) { return padded(i, 16); });
  add("numbers of 24 digits", [](std::uint64_t i) { return padded(i, 24); });
  add("common prefix", [](std::uint64_t i) { return "user-" + padded(i, 7); });
  add("long common prefix", [](std::uint64_t i) { return "https://example.org/page/" + std::to_string(i); });
  add("common suffix", [](std::uint64_t i) { return padded(i, 6) + ".html"; });
  add("long common suffix", [](std::uint64_t i) { return padded(i, 6) + ".some.domain.example.org"; });
  add("in the middle", [](std::uint64_t i) { return "prefix of it " + padded(i, 6) + " and what follows"; });
  add("letters", [](std::uint64_t i) {
    std::string key;
    for (++i; i > 0; i = (i - 1) / 26) key.push_back(static_cast<char>('a' + (i - 1) % 26));
    return key;
  });
  add("one byte repeated",
      [](std::uint64_t i) { return std::string(1 + i / 95, static_cast<char>(32 + i % 95)); });
  add("32-bit numbers", [](std::uint64_t i) { return bytes_of(static_cast<std::uint32_t>(i)); });
  add("64-bit numbers", [](std::uint64_t i) { return bytes_of(i); });
  add("multiples of a page", [](std::uint64_t i) { return bytes_of(i << 12); });
  add("multiples of 2^40", [](std::uint64_t i) { return bytes_of(i << 40); });
  add("multiples of 2^48", [](std::uint64_t i) { return bytes_of(i << 48); });
  add("big-endian numbers", [](std::uint64_t i) { return bytes_of(__builtin_bswap64(i)); });
  add("pairs", [](std::uint64_t i) {
    return bytes_of(static_cast<std::uint32_t>(i % 200)) + bytes_of(static_cast<std::uint32_t>(i / 200));
  });
  add("pairs of 64-bit numbers", [](std::uint64_t i) { return bytes_of(i % 200) + bytes_of(i / 200); });
  add("triples of 64-bit numbers",
      [](std::uint64_t i) { return bytes_of(i % 34) + bytes_of(i / 34 % 34) + bytes_of(i / 1156); });
  add("doubles", [](std::uint64_t i) { return bytes_of(static_cast<double>(i)); });
  return sets;
}

double chi_square(const std::vector<std::uint64_t>& counts, double expected) {
  double sum = 0;
  for (const std::uint64_t count : counts) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  return sum;
}

}  // namespace

static_assert(partition_count == 256);
static_assert(partition_of(0) == 0);
static_assert(partition_of((std::uint64_t{1} << 56) - 1) == 0);
static_assert(partition_of(std::uint64_t{1} << 56) == 1);
static_assert(partition_of(~std::uint64_t{0}) == 255);

// All backends must share one hash. With another hash, a backend would put keys into other partitions, and
// the merge would not find them.
TEST_CASE("the hash of a key never changes", "[hash]") {
  if (torture_hash) return;
  const std::pair<std::string, std::uint64_t> known[] = {
      {"", 0x272B3525F9A87792u},
      {"a", 0x445913429B151419u},
      {std::string("a\0", 2), 0x0F58CFDDE53C6BB3u},
      {"the", 0xA3D1FF7F5DFF74C4u},
      {"12345678", 0x0E93C9C643889664u},
      {"123456789", 0x4FF323CF66878527u},
      {"fifteen letters", 0xFFC0E26FBE5CB2F4u},
      {"sixteen letters!", 0x7EE75E3296B1996Eu},
      {"seventeen letters", 0xEF42A21E44F07A86u},
      {"twenty-four bytes of key", 0xA11C57E2AA373A52u},
      {"a key of more than three words of eight bytes", 0x4765DDD92F7AE600u},
      {std::string(100, 'x'), 0x6B3AAF03469CB723u},
      {std::string(511, 'x'), 0x38B1DCB326FBD71Eu},
      {std::string(512, 'x'), 0xB7685C24B66B80B2u},
      {std::string(1000, 'x'), 0x73C9A0FE6E7363E7u},
      {std::string(100'000, 'x'), 0xA95F162E3F28212Au},
  };
  for (const auto& [key, hash] : known) {
    CAPTURE(key);
    CHECK(hash_of(key) == hash);
  }
}

TEST_CASE("torture builds give every key the same hash", "[hash]") {
  CHECK((hash_of("a") == hash_of("b")) == torture_hash);
  CHECK((hash_of("a") == hash_of(std::string(100, 'a'))) == torture_hash);
}

TEST_CASE("structured keys are spread evenly over partitions", "[hash]") {
  if (torture_hash) return;
  for (const auto& [name, keys] : structured_keys()) {
    CAPTURE(name);
    std::vector<std::uint64_t> partitions(partition_count, 0);
    std::unordered_set<std::uint64_t> hashes;
    for (const std::string& key : keys) {
      ++partitions[partition_of(hash_of(key))];
      hashes.insert(hash_of(key));
    }
    CHECK(hashes.size() == keys.size());
    // A random function would give about 255 (the degrees of freedom), with a deviation of 22.6.
    CHECK(chi_square(partitions, static_cast<double>(keys.size()) / partition_count) < 400);
  }
}

// A table takes the home of a key from the top bits of its hash. Few different homes mean long probes.
TEST_CASE("structured keys have as many homes in a table as random ones", "[hash]") {
  if (torture_hash) return;
  for (const auto& [name, keys] : structured_keys()) {
    for (const unsigned bits : {10U, 16U, 17U, 18U, 20U, 24U}) {
      CAPTURE(name, bits);
      const double slots = std::exp2(bits);
      std::vector<bool> homes(std::size_t{1} << bits, false);
      for (const std::string& key : keys) homes[hash_of(key) >> (64 - bits)] = true;
      const double random_homes = slots * (1 - std::exp(-static_cast<double>(keys.size()) / slots));
      CHECK(static_cast<double>(std::count(homes.begin(), homes.end(), true)) > 0.97 * random_homes);
    }
  }
}

TEST_CASE("a bit anywhere in a key moves it to another partition", "[hash]") {
  if (torture_hash) return;
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  constexpr int keys_tried = 400;
  for (const std::size_t size : {1U, 2U, 7U, 8U, 9U, 14U, 15U, 16U, 17U, 23U, 24U, 25U, 40U, 100U, 777U}) {
    for (std::size_t bit = 0; bit < 8 * size; bit += size < 200 ? 1 : 7) {
      int moved = 0;
      for (int n = 0; n < keys_tried; ++n) {
        std::string key(size, '\0');
        for (char& c : key) c = static_cast<char>(random());
        const unsigned before = partition_of(hash_of(key));
        key[bit / 8] = static_cast<char>(key[bit / 8] ^ (1 << bit % 8));
        if (partition_of(hash_of(key)) != before) ++moved;
      }
      CAPTURE(size, bit);
      CHECK(moved > keys_tried * 9 / 10);  // a random function moves 398.4 of 400
    }
  }
}

TEST_CASE("keys that differ in their length only have different hashes", "[hash]") {
  if (torture_hash) return;
  std::unordered_set<std::uint64_t> zeros;
  for (std::size_t size = 0; size <= 2000; ++size) zeros.insert(hash_of(std::string(size, '\0')));
  CHECK(zeros.size() == 2001);
}

// A GPU hashes stripes in two ways: one lane for each stripe, or four stripes at a time in one thread.
TEST_CASE("a long key's hash is that of its stripes one by one", "[hash]") {
  std::string text(3 * std::size_t{8} * 8 * hash_stripes, '\0');
  std::mt19937 random(test::seed());
  for (char& c : text) c = static_cast<char>(random());
  const auto load = [](const char* from) {
    return detail::load_word(from);
  };
  for (std::size_t size = striped_bytes; size <= text.size(); size += 1 + random() % 9) {
    const byte_view key = std::string_view(text).substr(0, size);
    const auto of_stripe = [&](unsigned stripe) {
      std::uint64_t one[1];
      hash_stripes_from(stripe, key, load, one);
      return one[0];
    };
    CAPTURE(size);
    CHECK(hash_long(key) == hash_of_stripes(key, of_stripe, load));
    CHECK(hash_long(key) == hash_long(key, load));
  }
}

TEST_CASE("hashing reads no byte outside the key", "[hash]") {
  const std::string text(900, 'k');
  for (std::size_t size = 8; size <= text.size(); ++size) {
    const test::guarded_bytes key(std::string_view(text).substr(0, size));
    CHECK(hash_long(key.view()) == hash_long(std::string_view(text).substr(0, size)));
  }
}

}  // namespace duomap::test::core_hash_test
