// Tests the emitter of hashed keys: it folds keys from any memory, at once or later.
#include "cpu/container/keyed_emitter.hpp"

#include "core/config.hpp"
#include "core/reduce.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/sequence_reduction.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::cpu_container_keyed_emitter_test {

using cpu::keyed_emitter;
using test::sequence;
using test::sequence_of;

namespace {

using in_order = test::concatenation<true>;
using counter = sum<std::uint64_t>;

/// A value of 2 KiB. With a few thousand keys, the table is so large that emits wait.
struct wide_sequence {
  sequence value;
  char padding[2032];
};
struct wide_in_order {
  using value_type = wide_sequence;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  wide_sequence operator()(const wide_sequence& a, const wide_sequence& b) const {
    wide_sequence both = a;
    both.value = in_order{}(a.value, b.value);
    return both;
  }
};
static_assert(reduction<wide_in_order>);

template <class Emitter>
auto contents(const Emitter& emitter) {
  std::map<std::string, typename Emitter::value_type> found;
  emitter.table().for_each([&](const auto& entry) {
    if (!found.emplace(entry.key.bytes().text(), entry.value).second) FAIL("a key stands in the table twice");
  });
  return found;
}

std::map<std::string, sequence> narrow(const std::map<std::string, wide_sequence>& wide) {
  std::map<std::string, sequence> values;
  for (const auto& [key, value] : wide) values.emplace(key, value.value);
  return values;
}

}  // namespace

TEST_CASE("keys of any length and place in a chunk are what they are", "[keyed_emitter]") {
  std::string text(120, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 37 + 1);
  // No readable padding behind the text, as for rows in a caller's memory.
  const test::guarded_bytes guarded(text);
  keyed_emitter<byte_view, counter> emitter{counter{}};
  emitter.begin_chunk({guarded.data(), text.size(), 0, 0});
  std::map<std::string, std::uint64_t> expected;
  for (std::size_t from = 0; from <= text.size(); ++from) {
    for (std::size_t size = 0; size <= 40 && from + size <= text.size(); ++size) {
      emitter(guarded.view().sub(from, size), 1);
      ++expected[text.substr(from, size)];
    }
  }
  emitter.flush();
  CHECK((contents(emitter) == expected));
}

// If a key lies outside the chunk, the emitter may read only the key's own bytes.
TEST_CASE("keys from elsewhere are read exactly", "[keyed_emitter]") {
  const std::string text = "some chunk of which no key is taken";
  keyed_emitter<byte_view, counter> emitter{counter{}};
  emitter.begin_chunk({text.data(), text.size(), 0, 0});
  std::map<std::string, std::uint64_t> expected;
  for (std::size_t size = 0; size <= 40; ++size) {
    const test::guarded_bytes key(std::string(size, 'k'));
    emitter(key.view(), 1);
    ++expected[std::string(size, 'k')];
  }
  // These keys lie directly before and behind the chunk.
  const test::guarded_bytes around("before|the chunk|behind");
  emitter.flush();
  emitter.begin_chunk({around.data() + 7, 9, 0, 0});
  emitter(byte_view(around.data(), 6), 1);
  emitter(byte_view(around.data() + 17, 6), 1);
  ++expected["before"];
  ++expected["behind"];
  emitter.flush();
  CHECK((contents(emitter) == expected));
}

TEST_CASE("keys may be emitted before any chunk, and of chunks without bytes", "[keyed_emitter]") {
  keyed_emitter<byte_view, counter> emitter{counter{}};
  emitter(std::string_view("key"), 1);
  emitter.begin_chunk({nullptr, 1'000'000, 0, 0});  // the chunk is an index range, whose size is not in bytes
  for (const byte_view key : {byte_view{}, byte_view(std::string_view("key")), byte_view{}}) emitter(key, 1);
  emitter.flush();
  CHECK((contents(emitter) == std::map<std::string, std::uint64_t>{{"", 2}, {"key", 2}}));
}

TEST_CASE("a key's bytes may change as soon as it was emitted", "[keyed_emitter]") {
  keyed_emitter<byte_view, counter> emitter{counter{}};
  std::map<std::string, std::uint64_t> expected;
  char buffer[32];
  for (int round = 0; round < 3; ++round) {
    emitter.begin_chunk({nullptr, 0, 0, 0});
    for (int i = 0; i < 500; ++i) {
      const std::string key = (i % 3 == 0 ? "a key that is long " : "k") + std::to_string(i % 100);
      std::memcpy(buffer, key.data(), key.size());
      emitter(byte_view(buffer, key.size()), 1);
      std::memset(buffer, '?', sizeof buffer);
      ++expected[key];
    }
    emitter.flush();
    CHECK((contents(emitter) == expected));
  }
}

TEST_CASE("emits that wait give the same as emits that do not", "[keyed_emitter]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::uint64_t keys = torture_hash ? 200 : 10'000;
  std::vector<std::string> emits;
  for (std::uint64_t i = 0; i < 4 * keys; ++i) {
    const std::uint64_t number = random() % 2 == 0 ? random() % keys : random() % 10;
    emits.push_back((number % 8 == 0 ? "a key of more than fifteen bytes " : "k") + std::to_string(number));
  }

  std::map<std::string, sequence> expected;
  for (std::uint64_t i = 0; i < emits.size(); ++i) {
    const auto [place, is_new] = expected.emplace(emits[i], sequence_of(i));
    if (!is_new) place->second = in_order{}(place->second, sequence_of(i));
  }

  // The emitter decides at the begin of a chunk whether emits wait. In a single chunk none waits, because the
  // table is still small. In chunks of 100 emits they wait once the table exceeds the cache.
  for (const std::uint64_t emits_per_chunk :
       {emits.size(), std::size_t{100}, std::size_t{33}, std::size_t{1}}) {
    CAPTURE(emits_per_chunk);
    keyed_emitter<byte_view, wide_in_order> emitter{wide_in_order{}};
    for (std::uint64_t i = 0; i < emits.size(); ++i) {
      if (i % emits_per_chunk == 0) {
        emitter.flush();
        emitter.begin_chunk({nullptr, 0, 0, 0});
      }
      emitter(std::string_view(emits[i]), wide_sequence{sequence_of(i), {}});
    }
    emitter.flush();
    if (!torture) CHECK(emitter.table().capacity_bytes() > (8U << 20));
    CHECK((narrow(contents(emitter)) == expected));
    emitter.flush();
    CHECK((narrow(contents(emitter)) == expected));
  }
}

TEST_CASE("long keys in the chunk wait, and keep their order with the same keys from elsewhere",
          "[keyed_emitter]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < 40; ++i) text += "a key that is long " + std::to_string(10 + i % 20);
  constexpr std::uint64_t size = 21;
  keyed_emitter<byte_view, wide_in_order> emitter{wide_in_order{}};
  std::map<std::string, sequence> expected;
  emitter.begin_chunk({text.data(), text.size(), 0, 0});
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const byte_view inside = byte_view(text).sub(random() % 40 * size, size - random() % 2 * 15);
    std::string elsewhere(inside.text());
    emitter(random() % 8 == 0 ? byte_view(elsewhere) : inside, wide_sequence{sequence_of(i), {}});
    const auto [place, is_new] = expected.emplace(elsewhere, sequence_of(i));
    if (!is_new) place->second = in_order{}(place->second, sequence_of(i));
    elsewhere.assign(elsewhere.size(), '?');
  }
  emitter.flush();
  CHECK((narrow(contents(emitter)) == expected));
}

TEST_CASE("narrow values wait as well once there are enough keys", "[keyed_emitter]") {
  if (torture_hash) return;  // torture_hash puts 300,000 keys into one chain
  keyed_emitter<std::uint64_t, counter> emitter{counter{}};
  constexpr std::uint64_t keys = 300'000;
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t key = 0; key < keys; ++key) {
      if (key % 1000 == 0) emitter.begin_chunk({nullptr, 1000, key, 0});
      emitter(key, key);
      if (key % 1000 == 999) emitter.flush();
    }
  }
  CHECK(emitter.table().size() == keys);
  std::uint64_t wrong = 0;
  emitter.table().for_each([&](const auto& entry) {
    std::uint64_t key = 0;
    if (entry.key.bytes().size != sizeof key) ++wrong;
    std::memcpy(&key, entry.key.bytes().data, sizeof key);
    if (entry.value != 3 * key) ++wrong;
  });
  CHECK(wrong == 0);
}

// The table compares several slots at once. Numbers differ in one word, and the key 0 looks like an empty
// slot. Texts begin alike, so both words matter.
TEST_CASE("keys that share a word are told apart, in small tables and in large ones", "[keyed_emitter]") {
  const std::uint64_t keys = torture_hash ? 200 : 200'000;  // a table of 12 MiB
  keyed_emitter<std::uint64_t, counter> numbers{counter{}};
  keyed_emitter<byte_view, counter> texts{counter{}};
  std::map<std::string, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 3 * keys; ++i) {
    if (i % 1000 == 0) {
      numbers.flush();
      texts.flush();
      numbers.begin_chunk({nullptr, 1000, 0, 0});
      texts.begin_chunk({nullptr, 1000, 0, 0});
    }
    const std::uint64_t number = i % 3 == 0 ? 0 : i % keys;
    const std::string text = "the same" + std::to_string(number);
    numbers(number, 1);
    texts(std::string_view(text), 1);
    // The key without bytes, and keys of zero bytes only, all have 0 as their first word.
    const std::string zeros(i % 9, '\0');
    texts(std::string_view(zeros), 1);
    ++expected[text];
    ++expected[zeros];
  }
  numbers.flush();
  texts.flush();
  CHECK((contents(texts) == expected));
  std::uint64_t wrong = 0;
  const auto found = contents(numbers);
  for (const auto& [bytes, count] : found) {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    const auto same = expected.find("the same" + std::to_string(number));
    if (same == expected.end() || same->second != count) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(found.size() + 9 == expected.size());
}

TEST_CASE("fixed-size keys of any size are their bytes", "[keyed_emitter]") {
  struct three {
    std::uint64_t numbers[3];
  };
  keyed_emitter<std::uint8_t, counter> bytes_as_keys{counter{}};
  keyed_emitter<std::int32_t, counter> numbers{counter{}};
  keyed_emitter<three, counter> triples{counter{}};
  bytes_as_keys.begin_chunk({nullptr, 256, 0, 0});
  numbers.begin_chunk({nullptr, 256, 0, 0});
  triples.begin_chunk({nullptr, 256, 0, 0});
  for (int i = 0; i < 1000; ++i) {
    bytes_as_keys(static_cast<std::uint8_t>(i), 1);
    numbers(i % 50 - 25, 1);
    triples(three{{static_cast<std::uint64_t>(i % 3), 0, static_cast<std::uint64_t>(i % 5)}}, 1);
  }
  bytes_as_keys.flush();
  numbers.flush();
  triples.flush();
  CHECK(bytes_as_keys.table().size() == 256);
  CHECK(numbers.table().size() == 50);
  CHECK(triples.table().size() == 15);
  for (const auto& [key, count] : contents(numbers)) {
    CHECK(key.size() == sizeof(std::int32_t));
    CHECK(count == 20);
  }
  for (const auto& [key, count] : contents(triples)) CHECK(key.size() == sizeof(three));
}

}  // namespace duomap::test::cpu_container_keyed_emitter_test
