// Tests string match on the CPU with every cut, and on GPUs, against a search byte by byte.
#include "apps/tasks/stringmatch/stringmatch.hpp"

#include "apps/tasks/stringmatch/matches.hpp"
#include "apps/tasks/stringmatch/pattern_list.hpp"
#include "core/error.hpp"
#include "core/input/memory_source.hpp"
#include "core/text/letter_case.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "gpu/options.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::apps_tasks_stringmatch_stringmatch_test {
namespace {

using apps::pattern_list;
using apps::stringmatch;

/// The source, offset, line and pattern of a match.
using row = std::array<std::uint64_t, 4>;
using rows = std::vector<row>;

rows rows_of(const result_for<stringmatch>& found) {
  rows all;
  apps::for_each_match(found, [&](const apps::match& one) {
    all.push_back({one.source, one.offset, one.line, one.pattern});
  });
  return all;
}

std::string folded(std::string text, bool ignore_case) {
  for (char& c : text) c = ignore_case ? to_lower_ascii(c) : c;
  return text;
}

/// Compares every pattern with the bytes at every place.
rows rows_by_hand(const std::vector<std::string>& texts, const pattern_list& patterns, bool ignore_case) {
  std::vector<std::pair<std::string, std::uint64_t>> by_size;
  for (std::uint64_t i = 0; i < patterns.size(); ++i)
    by_size.emplace_back(folded(patterns[i], ignore_case), i);
  std::ranges::stable_sort(by_size, {}, [](const auto& one) { return one.first.size(); });
  rows all;
  for (std::uint64_t source = 0; source < texts.size(); ++source) {
    const std::string text = folded(texts[source], ignore_case);
    std::uint64_t line = 1;
    for (std::uint64_t at = 0; at < text.size(); ++at) {
      for (const auto& [pattern, number] : by_size) {
        if (text.compare(at, pattern.size(), pattern) == 0) all.push_back({source, at, line, number});
      }
      line += text[at] == '\n' ? 1u : 0u;
    }
  }
  return all;
}

/// Lines of few different letters, so that patterns occur, overlap, and nearly occur.
std::string random_text(std::mt19937_64& random, std::uint64_t size, const std::string& letters) {
  const std::uint64_t line = 1 + random() % 200;
  std::string text;
  for (std::uint64_t i = 0; i < size; ++i)
    text += random() % line == 0 ? '\n' : letters[random() % letters.size()];
  return text;
}

std::vector<std::string> random_patterns(std::mt19937_64& random, std::uint64_t count, std::uint64_t longest,
                                         const std::string& letters) {
  std::vector<std::string> patterns;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string pattern;
    const std::uint64_t size = 1 + random() % longest;
    while (pattern.size() < size) pattern += letters[random() % letters.size()];
    patterns.push_back(pattern);
  }
  return patterns;
}

const std::string few_letters = "ab";
const std::string more_letters = std::string("abcdeABCDE Z[\xE1\xC1") + '\0';

/// Calls check(texts, patterns, ignore case) for random texts of many sizes, also around tile sizes.
template <class Check>
void for_random_cases(const Check& check) {
  std::mt19937_64 random(seed());
  INFO("seed " << seed());
  for (const std::uint64_t size : {0ull, 1ull, 7ull, 31ull, 32ull, 33ull, 63ull, 64ull, 65ull, 4095ull,
                                   4096ull, 4097ull, 8191ull, 8192ull, 8193ull, 150'000ull}) {
    for (const std::uint64_t count : {1ull, 2ull, 60ull}) {
      for (const bool ignore_case : {false, true}) {
        const std::string& letters = random() % 2 == 0 ? few_letters : more_letters;
        const std::uint64_t longest = letters == few_letters ? 30 : 5;
        check(std::vector<std::string>{random_text(random, size, letters), random_text(random, 100, letters)},
              random_patterns(random, count, longest, letters), ignore_case);
      }
    }
  }
}

TEST_CASE("string match: matches overlap and come in order") {
  const pattern_list patterns({"aa", "a", "ba", "aab", "absent"}, false);
  const std::vector<std::string> texts = {"aaab\n\nba", "", "a"};
  const input from = make_input({"text", texts});
  const rows found = rows_of(run(stringmatch(patterns), from, {.device = device_choice::cpu}));
  CHECK(found == rows_by_hand(texts, patterns, false));
  CHECK(found == rows{{0, 0, 1, 1},
                      {0, 0, 1, 0},
                      {0, 1, 1, 1},
                      {0, 1, 1, 0},
                      {0, 1, 1, 3},
                      {0, 2, 1, 1},
                      {0, 6, 3, 2},
                      {0, 7, 3, 1},
                      {2, 0, 1, 1}});
}

TEST_CASE("string match: random patterns and texts on the CPU") {
  cpu::tbb_pool pool(3);
  for_random_cases([&](const auto& texts, const auto& wanted, bool ignore_case) {
    const pattern_list patterns(wanted, ignore_case);
    const rows expected = rows_by_hand(texts, patterns, ignore_case);
    for (const layout form : {layout::addressable, layout::streamed}) {
      const rows found = rows_of(run(stringmatch(patterns), make_input({"text", texts}, form), pool,
                                     {.device = device_choice::cpu}));
      REQUIRE(found == expected);
    }
  });
}

/// Stores emits like a result.
struct kept_emits {
  std::vector<std::pair<std::uint32_t, apps::place>> all;

  void operator()(std::uint32_t pattern, const apps::place& at) { all.emplace_back(pattern, at); }

  [[nodiscard]] rows matches() const {
    rows found;
    std::uint64_t newlines = 0;
    for (const auto& [pattern, at] : all) {
      if (pattern == stringmatch::group_end) {
        newlines += at.newlines;
      } else {
        found.push_back({at.source, at.offset, newlines + at.newlines + 1, pattern});
      }
    }
    return found;
  }
};

TEST_CASE("string match: strips and whole chunks give the same matches") {
  for_random_cases([](const auto& texts, const auto& wanted, bool ignore_case) {
    const pattern_list patterns(wanted, ignore_case);
    const stringmatch task(patterns);
    const text_source text(texts[0], "text");
    const chunk part{text.bytes().data, text.units(), 0, 0};
    kept_emits by_strips;
    strips{}.for_each_record(part, [&](const strip& one) { task.map(one, by_strips); });
    kept_emits by_chunk;
    task.map_chunk(part, by_chunk);
    const rows expected = rows_by_hand({texts[0]}, patterns, ignore_case);
    REQUIRE(by_strips.matches() == expected);
    REQUIRE(by_chunk.matches() == expected);
  });
}

TEST_CASE("string match: strips cover a chunk and count its newlines by groups") {
  std::mt19937_64 random(seed());
  for (const std::uint64_t size : {1ull, 31ull, 32ull, 33ull, 64ull, 65ull, 8192ull, 8193ull, 20'000ull}) {
    const text_source text(random_text(random, size, few_letters), "text");
    std::uint64_t covered = 0, newlines = 0;
    strips{}.for_each_record({text.bytes().data, text.units(), 1000, 7}, [&](const strip& one) {
      REQUIRE(one.data == text.bytes().data + covered);
      REQUIRE(one.offset == 1000 + covered);
      REQUIRE(one.rest == size - covered);
      REQUIRE(one.source == 7);
      REQUIRE(one.newlines_before == newlines);
      for (std::uint32_t i = 0; i < one.positions; ++i) newlines += one.data[i] == '\n' ? 1u : 0u;
      covered += one.positions;
      REQUIRE(one.ends_group == (covered == size || covered % strips::group_bytes == 0));
      if (one.ends_group) newlines = 0;
    });
    REQUIRE(covered == size);
  }
}

/// Patterns with the same first 20 bytes and a number, some of them a prefix of others; a text of such words;
/// and the offset and pattern of each match.
struct common_beginning {
  static constexpr std::uint64_t numbers = 10'000;
  std::vector<std::string> patterns;
  std::string text;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> matches;

  explicit common_beginning(std::mt19937_64& random, std::uint64_t words) {
    const std::string beginning = "Common-beginning-of-";
    const auto six = [](std::uint64_t number) {
      return std::to_string(1'000'000 + number).substr(1);
    };
    for (std::uint64_t i = 0; i < numbers; ++i) patterns.push_back(beginning + six(i));
    for (std::uint64_t i = 0; i < numbers; i += 10) patterns.push_back(beginning + six(i) + " x");
    patterns.push_back(beginning);
    const auto whole = static_cast<std::uint32_t>(patterns.size() - 1);
    for (std::uint64_t i = 0; i < words; ++i) {
      const std::uint64_t number = random() % (2 * numbers);
      const bool longer = random() % 2 == 0;
      matches.emplace_back(text.size(), whole);
      if (number < numbers) matches.emplace_back(text.size(), static_cast<std::uint32_t>(number));
      if (number < numbers && number % 10 == 0 && longer)
        matches.emplace_back(text.size(), static_cast<std::uint32_t>(numbers + number / 10));
      text += beginning + six(number) + (longer ? " x " : " X ");
    }
  }

  /// Comparing every pattern at every place would take minutes.
  void check(const result_for<stringmatch>& found) const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> offsets;
    apps::for_each_match(found,
                         [&](const apps::match& one) { offsets.emplace_back(one.offset, one.pattern); });
    CHECK(offsets.size() == matches.size());
    CHECK((offsets == matches));
  }
};

TEST_CASE("string match: thousands of patterns that begin alike") {
  std::mt19937_64 random(seed());
  INFO("seed " << seed());
  const common_beginning made(random, torture ? 100 : 100'000);
  const pattern_list patterns(made.patterns, false);
  made.check(run(stringmatch(patterns), text_input(made.text), {.device = device_choice::cpu}));
}

TEST_CASE("string match: patterns that are beginnings of each other") {
  std::vector<std::string> nested;
  for (std::size_t size = 1; size <= 1000; ++size) nested.emplace_back(size, 'n');
  const pattern_list patterns(nested, false);
  const auto found = rows_of(run(stringmatch(patterns), text_input("nnn n"), {.device = device_choice::cpu}));
  CHECK(
      found ==
      rows{{0, 0, 1, 0}, {0, 0, 1, 1}, {0, 0, 1, 2}, {0, 1, 1, 0}, {0, 1, 1, 1}, {0, 2, 1, 0}, {0, 4, 1, 0}});
  const auto all =
      rows_of(run(stringmatch(patterns), text_input(std::string(1000, 'n')), {.device = device_choice::cpu}));
  CHECK(all.size() == std::uint64_t{1000} * 1001 / 2);
  CHECK(all[999] == row{0, 0, 1, 999});
}

TEST_CASE("string match: patterns that differ in nothing count once") {
  CHECK(pattern_list({"one", "One", "one"}, false).size() == 2);
  const pattern_list ignoring({"One", "oNE", "two"}, true);
  CHECK(ignoring.size() == 2);
  CHECK(ignoring[0] == "One");
  CHECK(ignoring.shortest() == 3);
}

TEST_CASE("string match: a pattern that cannot be one is wrong usage") {
  const auto make = [](const std::vector<std::string>& patterns) {
    static_cast<void>(pattern_list(patterns, false));
  };
  CHECK_THROWS_AS(make({}), usage_error);
  CHECK_THROWS_WITH(make({"a", ""}), contains("pattern 2 of 2 is empty"));
  CHECK_THROWS_WITH(make({"a\nb"}), contains("holds a newline"));
}

TEST_CASE("string match: count_byte counts that byte only") {
  std::mt19937_64 random(seed());
  for (int i = 0; i < 1000; ++i) {
    std::uint64_t word = 0;
    std::uint32_t newlines = 0;
    for (int b = 0; b < 8; ++b) {
      const std::array<unsigned char, 6> bytes = {'\n', '\v', '\t', 0x8A, 0, 0xFF};
      const unsigned char byte = bytes[random() % bytes.size()];
      newlines += byte == '\n' ? 1u : 0u;
      word = word << 8 | byte;
    }
    REQUIRE(count_byte(word, '\n') == newlines);
  }
}

TEST_CASE("string match: more matches than memory for them end in an error") {
  const pattern_list patterns({"a"}, false);
  const input from = make_input({"text", {std::string(100'000, 'a'), std::string(50'000, 'a')}});
  cpu::tbb_pool pool(3);
  const auto limited = [&](std::uint64_t bytes) {
    return run(stringmatch(patterns), from, pool, {.device = device_choice::cpu, .memory = bytes}).size();
  };
  CHECK(limited(20'000'000) == 150'000);
  CHECK_THROWS_AS(limited(4'000'000), memory_exceeded);
  CHECK_THROWS_WITH(limited(4'000'000), contains("4000000 bytes"));
}

#if DUOMAP_HAS_CUDA

/// Checks that a GPU alone and a GPU with the CPU find the CPU's rows.
void check_on_gpu(const stringmatch& task, const input& from, const gpu::backend_options& options,
                  const rows& expected) {
  cpu::tbb_pool pool(4);
  for (const bool beside_cpu : {false, true}) {
    std::vector<std::unique_ptr<backend<stringmatch>>> on =
        gpu::make_backends(task, {gpu::discover().devices.front().index}, options);
    if (beside_cpu) on.push_back(std::make_unique<cpu::cpu_backend<stringmatch>>(task, pool));
    run_report report;
    const rows found = rows_of(scheduler::run(task, from, on, pool, nullptr, report));
    INFO("seed " << seed() << ", beside the CPU: " << beside_cpu);
    REQUIRE(found.size() == expected.size());
    REQUIRE(found == expected);
  }
}

TEST_CASE("string match on a GPU: a few lines", "[gpu][sanitize]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  const std::vector<std::string> texts = {random_text(random, 300'001, more_letters), "b", ""};
  for (const bool ignore_case : {false, true}) {
    const pattern_list patterns({"a", "bc", "cab", "A dAb", "abcdeABCD"}, ignore_case);
    check_on_gpu(stringmatch(patterns), make_input({"text", texts}), {},
                 rows_by_hand(texts, patterns, ignore_case));
  }
}

TEST_CASE("string match on a GPU: random patterns and texts", "[gpu]") {
  if (no_gpu()) return;
  for_random_cases([&](const auto& texts, const auto& wanted, bool ignore_case) {
    const pattern_list patterns(wanted, ignore_case);
    check_on_gpu(stringmatch(patterns), make_input({"text", texts}), {},
                 rows_by_hand(texts, patterns, ignore_case));
  });
}

TEST_CASE("string match on a GPU: thousands of patterns that begin alike", "[gpu]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  INFO("seed " << seed());
  const common_beginning made(random, 100'000);
  const pattern_list patterns(made.patterns, false);
  made.check(run(stringmatch(patterns), text_input(made.text), {.device = device_choice::gpu}));
}

TEST_CASE("string match on a GPU: more matches than memory for them", "[gpu]") {
  if (no_gpu()) return;
  const pattern_list patterns({"a", "aa", "b"}, false);
  std::mt19937_64 random(seed());
  const std::vector<std::string> texts = {random_text(random, 3'000'000, few_letters)};
  check_on_gpu(stringmatch(patterns), make_input({"text", texts}), {.table_bytes = std::uint64_t{16} << 20},
               rows_by_hand(texts, patterns, false));
}

TEST_CASE("string match on a GPU: more matches than the host has memory for", "[gpu]") {
  if (no_gpu()) return;
  const pattern_list patterns({"a"}, false);
  const input from = text_input(std::string(3'000'000, 'a'));
  for (const device_choice on : {device_choice::gpu, device_choice::cpu_gpu}) {
    const auto limited = [&](std::uint64_t bytes) {
      return run(stringmatch(patterns), from, {.device = on, .memory = bytes}).size();
    };
    CHECK(limited(400'000'000) == 3'000'000);
    CHECK_THROWS_AS(limited(40'000'000), memory_exceeded);
  }
}

TEST_CASE("string match on a GPU: thousands of patterns in words", "[gpu]") {
  if (no_gpu()) return;
  std::mt19937_64 random(seed());
  const std::string text = random_words(random, 1'000'000, 20'000);
  std::vector<std::string> wanted;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const std::uint64_t at = random() % (text.size() - 40);
    std::string pattern = text.substr(at, 8 + random() % 30);
    pattern.resize(std::min(pattern.size(), pattern.find('\n')));
    if (pattern.size() >= 8) wanted.push_back(pattern);
  }
  for (const bool ignore_case : {false, true}) {
    const pattern_list patterns(wanted, ignore_case);
    const stringmatch task(patterns);
    const input from = text_input(text);
    check_on_gpu(task, from, {}, rows_of(run(task, from, {.device = device_choice::cpu})));
  }
}

#endif

}  // namespace
}  // namespace duomap::test::apps_tasks_stringmatch_stringmatch_test
