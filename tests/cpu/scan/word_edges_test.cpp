// Tests that every vector path finds word edges as the definition of a word byte gives them.
#include "cpu/scan/word_edges.hpp"

#include "core/record/words.hpp"
#include "cpu/features.hpp"
#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::cpu_scan_word_edges_test {

using cpu::vector_path;
using cpu::word_tile_bytes;

namespace {

std::vector<vector_path> paths() {
  std::vector<vector_path> usable;
  for (const auto path : {vector_path::portable, vector_path::avx2, vector_path::avx512}) {
    if (path <= cpu::best_vector_path()) usable.push_back(path);
  }
  return usable;
}

std::vector<std::uint16_t> expected_edges(std::string_view text, bool inside) {
  std::vector<std::uint16_t> edges;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool word = words::is_word_byte(text[i]);
    if (word != inside) edges.push_back(static_cast<std::uint16_t>(i));
    inside = word;
  }
  return edges;
}

/// The edges that a path finds in `count` bytes at `data`; fails if it writes beyond the slack behind the
/// last edge.
std::vector<std::uint16_t> found_edges(vector_path path, const char* data, std::size_t count, bool inside) {
  constexpr std::uint16_t untouched = 0xBEEF;  // not a position in a tile
  // Has room for writes far beyond the slack, so that the check sees them.
  static thread_local std::vector<std::uint16_t> edges;
  edges.assign(count + 2 * cpu::word_edges_slack + 64, untouched);
  const std::uint32_t found =
      cpu::find_word_edges_for(path)(data, static_cast<std::uint32_t>(count), inside, edges.data());
  if (found > count) FAIL("more edges than bytes");
  const auto behind = edges.begin() + found + cpu::word_edges_slack;
  if (!std::all_of(behind, edges.end(), [](std::uint16_t edge) { return edge == untouched; })) {
    FAIL("path " << cpu::name(path) << " wrote behind the slack, at count " << count);
  }
  return {edges.begin(), edges.begin() + found};
}

/// Compares all paths. Only a difference makes an assertion, because there are millions of comparisons.
void compare(std::string_view padded, std::size_t count) {
  for (const bool inside : {false, true}) {
    const std::vector<std::uint16_t> expected = expected_edges(padded.substr(0, count), inside);
    for (const auto path : paths()) {
      if (found_edges(path, padded.data(), count, inside) == expected) continue;
      FAIL("path " << cpu::name(path) << ", count " << count << ", inside " << inside << ", text '"
                   << padded.substr(0, count) << "'");
    }
  }
}

/// Random bytes, from mostly separators to any byte.
std::string random_bytes(std::mt19937& random, std::size_t size) {
  static constexpr std::string_view borders = "/09:@AZ[`az{'&(\x7F\x80\xFF \n";
  const auto mixture = random() % 5;
  std::string text(size, ' ');
  for (char& c : text) {
    switch (mixture) {
      case 0:
        c = static_cast<char>(random());
        break;
      case 1:
        c = borders[random() % borders.size()];
        break;
      case 2:
        c = random() % 20 == 0 ? ' ' : 'w';
        break;
      case 3:
        c = random() % 20 == 0 ? 'w' : ' ';
        break;
      default:
        c = random() % 2 == 0 ? 'w' : ' ';
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("every byte at every position has the same edges on every path", "[word_edges]") {
  const std::size_t count = std::min<std::size_t>(130, word_tile_bytes);
  for (const char background : {' ', 'a', '\xC3'}) {
    std::string text(count + 63, background);
    for (std::size_t at = 0; at < count; ++at) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        text[at] = static_cast<char>(byte);
        compare(text, count);
      }
      text[at] = background;
    }
  }
  SUCCEED();
}

TEST_CASE("random bytes of every count have the same edges on every path", "[word_edges]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::vector<std::size_t> counts;
  for (std::size_t count = 0; count <= std::min<std::size_t>(200, word_tile_bytes); ++count)
    counts.push_back(count);
  for (std::size_t count = word_tile_bytes - 65; word_tile_bytes > 200 && count <= word_tile_bytes; ++count) {
    counts.push_back(count);
  }
  for (const std::size_t count : counts) {
    for (int round = 0; round < 20; ++round) compare(random_bytes(random, count + 63), count);
  }
  SUCCEED();
}

TEST_CASE("a tile in which every byte is an edge", "[word_edges]") {
  for (const std::string_view pair : {"a ", " a"}) {
    std::string text;
    while (text.size() < word_tile_bytes + 63) text += pair;
    compare(text, word_tile_bytes);
    compare(text, word_tile_bytes - 1);
    for (std::size_t count = 0; count <= 64; ++count) compare(text, count);
  }
  CHECK(found_edges(cpu::best_vector_path(), std::string(200, 'a').data(), 0, true).empty());
}

TEST_CASE("no path reads more than 63 bytes behind the end, or one before the start", "[word_edges]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (std::size_t count = 0; count <= word_tile_bytes; count += count < 300 ? 1 : 61) {
    const test::guarded_bytes text(random_bytes(random, count), 63);
    compare({text.data(), count + 63}, count);
  }
  // The text fills a whole page, and so begins where the page begins.
  const test::guarded_bytes page(random_bytes(random, 4096), 0);
  compare({page.data(), 4096}, std::min<std::size_t>(4096 - 63, word_tile_bytes));
  SUCCEED();
}

TEST_CASE("what stands behind the end does not count", "[word_edges]") {
  for (std::size_t count = 0; count <= 64; ++count) {
    for (const char behind : {' ', 'a', '\xFF'}) {
      compare(std::string(count, 'a') + std::string(63, behind), count);
      compare(std::string(count, ' ') + std::string(63, behind), count);
    }
  }
  SUCCEED();
}

}  // namespace duomap::test::cpu_scan_word_edges_test
