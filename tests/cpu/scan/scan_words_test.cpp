// Tests the scanners that find words tile by tile, against the plain definition of a word.
#include "cpu/scan/scan_words.hpp"

#include "core/record/lines.hpp"
#include "core/record/words.hpp"
#include "cpu/features.hpp"
#include "cpu/scan/scanner_for.hpp"
#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::test::cpu_scan_scan_words_test {

using cpu::vector_path;
using cpu::word_tile_bytes;

namespace {

// Start and size of each word, so that empty or doubled words show.
using word_list = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

template <class Scan>
word_list words_of(const chunk& part, Scan&& scan) {
  word_list found;
  scan(part, [&](byte_view word) { found.emplace_back(word.data - part.data, word.size); });
  return found;
}

word_list plain_words(const chunk& part) {
  return words_of(part, [](const chunk& all, auto&& use) { words{}.for_each_record(all, use); });
}

/// Compares all vector paths with the plain definition. A scanner is used for many chunks and must keep no
/// state.
class comparison {
 public:
  comparison() {
    for (const auto path : {vector_path::portable, vector_path::avx2, vector_path::avx512}) {
      if (path <= cpu::best_vector_path())
        scanners_.emplace_back(path, cpu::word_scanner(cpu::find_word_edges_for(path)));
    }
  }

  void run(const chunk& part) {
    const word_list expected = plain_words(part);
    for (auto& [path, scanner] : scanners_) {
      auto& scan = scanner;
      const word_list found =
          words_of(part, [&](const chunk& all, auto&& use) { scan.for_each_record(all, use); });
      if (found != expected) FAIL("path " << cpu::name(path) << ", text '" << part.bytes().text() << "'");
    }
  }

  /// Runs with exactly the padding that a chunk promises.
  void run(std::string_view text) {
    const test::guarded_bytes guarded(text, read_padding);
    run(chunk{guarded.data(), text.size(), 0, 0});
  }

 private:
  std::vector<std::pair<vector_path, cpu::word_scanner>> scanners_;
};

std::string random_text(std::mt19937& random, std::size_t size) {
  const std::string_view alphabets[] = {"abc ",  "abcdefghijklmnopq ", "ab'9\xC3\xA9 ,.\n", "a", " ",
                                        "a     "};
  const std::string_view alphabet = alphabets[random() % std::size(alphabets)];
  std::string text(size, '\0');
  for (char& c : text) c = alphabet[random() % alphabet.size()];
  return text;
}

}  // namespace

TEST_CASE("chunks of every size have the words of the definition", "[scan_words]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size <= 300; ++size) sizes.push_back(size);
  for (const std::size_t tiles : {1U, 2U, 3U, 5U}) {
    for (std::size_t size = tiles * word_tile_bytes - 2; size <= tiles * word_tile_bytes + 2; ++size) {
      sizes.push_back(size);
    }
  }
  comparison all;
  for (const std::size_t size : sizes) {
    for (int round = 0; round < 12; ++round) all.run(random_text(random, size));
  }
  SUCCEED();
}

TEST_CASE("words that reach into other tiles are one word", "[scan_words]") {
  comparison all;
  const std::size_t tile = word_tile_bytes;
  for (std::size_t start = tile - 3; start <= tile + 3; ++start) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4}, tile - 1,
                                   tile, tile + 1, 2 * tile - 1, 2 * tile, 3 * tile + 1, 5 * tile}) {
      const std::string word(size, 'w');
      all.run(std::string(start, ' ') + word);
      all.run(std::string(start, ' ') + word + ' ');
      all.run(std::string(start, ' ') + word + " and more");
      all.run(std::string(start, 'a') + ' ' + word);
    }
  }
  SUCCEED();
}

TEST_CASE("a chunk ends where it ends, whatever stands around it", "[scan_words]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  comparison all;
  const std::string text =
      random_text(random, 2000) + std::string(2000, 'w') + std::string(read_padding, 'w');
  for (int round = 0; round < 500; ++round) {
    const std::size_t from = random() % 4000;
    all.run(chunk{text.data() + from, random() % (4001 - from), from, 0});
  }
  SUCCEED();
}

TEST_CASE("a words scanner shows the words of the chunk itself", "[scan_words]") {
  const std::string text = "One two, THREE" + std::string(read_padding, 'x');
  cpu::scanner_for<words> scanner;
  const chunk part{text.data(), 14, 1000, 7};
  std::vector<std::string> found;
  const chunk prepared = scanner.prepare(words{}, part);
  scanner.for_each_record(words{}, prepared, [&](byte_view word) {
    CHECK(word.data >= text.data());
    CHECK(word.data + word.size <= text.data() + 14);
    found.emplace_back(word.text());
  });
  CHECK(prepared.data == text.data());
  CHECK(found == std::vector<std::string>{"One", "two", "THREE"});
}

// A map may read the padding behind a key, so the words must point into the scanner's copy of the chunk.
TEST_CASE("a lower-casing scanner shows words of its own copy", "[scan_words]") {
  cpu::scanner_for<words> scanner;
  const words lower_case{.lower_case = true};
  // The second chunk is longer, so the scanner makes a new copy; the third is shorter and reuses its memory.
  for (const std::size_t repeats : {1U, 500U, 2U}) {
    std::string text;
    for (std::size_t i = 0; i < repeats; ++i) text += "AZ[`az{ \xC3\x89T\xC9 It'S 1A@Z ";
    const test::guarded_bytes original(text, read_padding);
    std::vector<std::string> found;
    const chunk seen = scanner.prepare(lower_case, chunk{original.data(), text.size(), 1000, 7});
    scanner.for_each_record(lower_case, seen, [&](byte_view word) {
      if (word.data < seen.data || word.end() > seen.data + seen.size) FAIL("a word outside its chunk");
      found.emplace_back(word.text());
    });
    CHECK(seen.size == text.size());
    CHECK(seen.offset == 1000);
    CHECK(seen.source == 7);
    CHECK(seen.data != original.data());
    CHECK((original.view().text() == text));
    const std::vector<std::string> once = {"az", "az", "\xC3\x89t\xC9", "it's", "1a", "z"};
    REQUIRE(found.size() == once.size() * repeats);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == once[i % once.size()]);
    // Reads the promised bytes behind the end; a sanitizer reports them if they are missing.
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < read_padding; ++i)
      sum += static_cast<unsigned char>(seen.data[seen.size + i]);
    CHECK(sum <= 255 * read_padding);
  }
}

TEST_CASE("other formats are scanned by their own definition", "[scan_words]") {
  const std::string text = "one\n\ntwo";
  cpu::scanner_for<lines> scanner;
  std::vector<std::string> found;
  const chunk prepared = scanner.prepare(lines{}, chunk{text.data(), text.size(), 0, 0});
  scanner.for_each_record(lines{}, prepared, [&](const line& each) { found.emplace_back(each.text.text()); });
  CHECK(prepared.data == text.data());
  CHECK(found == std::vector<std::string>{"one", "", "two"});
}

}  // namespace duomap::test::cpu_scan_scan_words_test
