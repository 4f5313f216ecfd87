// Tests cpu/scan/beginnings.hpp and byte_pair.hpp: every vector path of the two filters of string search
// lists the positions that the definition gives.
#include "cpu/features.hpp"
#include "cpu/scan/beginnings.hpp"
#include "cpu/scan/byte_pair.hpp"
#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::cpu_scan_candidates_test {
namespace {

using cpu::vector_path;

std::vector<vector_path> paths() {
  std::vector<vector_path> usable;
  for (const auto path : {vector_path::portable, vector_path::avx2, vector_path::avx512}) {
    if (path <= cpu::best_vector_path()) usable.push_back(path);
  }
  return usable;
}

struct listed {
  std::vector<std::uint16_t> positions;
  std::uint32_t newlines = 0;
  friend bool operator==(const listed&, const listed&) = default;
};

/// The positions that a filter lists; fails if the filter writes beyond the slack behind the last position.
template <class Find>
listed list(std::uint32_t count, const Find& find) {
  constexpr std::uint16_t untouched = 0xBEEF;  // not a position in a tile
  std::vector<std::uint16_t> positions(count + 2 * cpu::candidate_slack, untouched);
  const cpu::candidates found = find(positions.data());
  if (found.count > count) FAIL("more candidates than positions");
  const auto behind = positions.begin() + found.count + cpu::candidate_slack;
  if (!std::all_of(behind, positions.end(), [](std::uint16_t at) { return at == untouched; }))
    FAIL("written behind the slack, at count " << count);
  return {{positions.begin(), positions.begin() + found.count}, found.newlines};
}

template <class Allowed>
listed expected(const char* text, std::uint32_t count, const Allowed& allowed) {
  listed all;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (allowed(i)) all.positions.push_back(static_cast<std::uint16_t>(i));
    if (text[i] == '\n') ++all.newlines;
  }
  return all;
}

std::vector<std::uint32_t> counts() {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t count : {0u, 1u, 31u, 32u, 33u, 63u, 64u, 65u, 129u, 4095u, 4096u}) {
    if (count <= cpu::candidate_tile) all.push_back(count);
  }
  return all;
}

std::string random_bytes(std::mt19937_64& random, std::size_t size, std::string_view letters) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i)
    text += letters.empty() ? static_cast<char>(random()) : letters[random() % letters.size()];
  return text;
}

TEST_CASE("byte pair: every path lists the same positions") {
  std::mt19937_64 random(seed());
  for (const std::string_view letters : {"", "aB\n", "ab", "kK\xCB\x2B\n"}) {
    for (const std::uint32_t count : counts()) {
      for (const bool ignore_case : {false, true}) {
        const std::string wanted =
            random_bytes(random, 1 + random() % 40, letters.empty() ? "abz9\xE1" : letters);
        std::string folded = wanted;
        for (char& c : folded) c = ignore_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        const cpu::byte_pair pair = cpu::rarest_pair(folded, ignore_case);
        // The text just fits at the last position of the chunk.
        const std::string content =
            random_bytes(random, count + wanted.size() - (count > 0 ? 1 : 0), letters);
        const guarded_bytes text(content, 64);
        const auto member = [&](std::uint32_t i, const cpu::byte_pair::member& m) {
          const char c = text.data()[i + m.at];
          const bool other_case = m.fold != 0 && c >= 'A' && c <= 'Z' && c + 32 == m.byte;
          return c == m.byte || other_case;
        };
        const listed all = expected(text.data(), count, [&](std::uint32_t i) {
          return member(i, pair.first) && member(i, pair.second);
        });
        for (const vector_path path : paths()) {
          INFO("seed " << seed() << ", path " << cpu::name(path) << ", count " << count);
          REQUIRE(list(count, [&](std::uint16_t* positions) {
                    return cpu::find_byte_pair_for(path)(text.data(), count, pair, positions);
                  }) == all);
        }
      }
    }
  }
}

TEST_CASE("byte pair: the two rarest bytes are looked for") {
  const auto places = [](byte_view wanted) {
    const cpu::byte_pair pair = cpu::rarest_pair(wanted, false);
    return std::pair(std::min(pair.first.at, pair.second.at), std::max(pair.first.at, pair.second.at));
  };
  CHECK(places("x") == std::pair(0u, 0u));
  CHECK(places("the quiz") == std::pair(4u, 7u));
  CHECK(places("Zeta") == std::pair(0u, 3u));
  CHECK(cpu::rarest_pair("q1", true).first.fold == 0);
  CHECK(cpu::rarest_pair("q1", true).second.fold == 0x20);
}

TEST_CASE("beginnings: every path lists the same positions") {
  std::mt19937_64 random(seed());
  for (const std::string_view letters : {"", "abC\n", "ab"}) {
    for (const std::uint32_t count : counts()) {
      cpu::beginnings wanted;
      const std::uint64_t patterns = 1 + random() % 20;
      for (std::uint64_t i = 0; i < patterns; ++i)
        wanted.add(random_bytes(random, 1 + random() % 6, letters.empty() ? "abcdefgh\xE1" : letters));
      const guarded_bytes text(random_bytes(random, count, letters), 3);
      const listed all =
          expected(text.data(), count, [&](std::uint32_t i) { return wanted.allows(text.data() + i); });
      for (const vector_path path : paths()) {
        INFO("seed " << seed() << ", path " << cpu::name(path) << ", count " << count);
        REQUIRE(list(count, [&](std::uint16_t* positions) {
                  return cpu::find_beginnings_for(path)(text.data(), count, wanted, positions);
                }) == all);
      }
    }
  }
}

TEST_CASE("beginnings: what was added is allowed in either case and little else") {
  cpu::beginnings wanted;
  wanted.add("whale");
  wanted.add("ab");
  for (const char* const text : {"whale", "WHALe", "abxx", "aB\n\n"}) CHECK(wanted.allows(text));
  for (const char* const text : {"whole", "hale", "xabx", "wwww"}) CHECK(!wanted.allows(text));
  wanted.add("x");
  CHECK(wanted.allows("x\xFF\xFF\xFF"));
}

}  // namespace
}  // namespace duomap::test::cpu_scan_candidates_test
