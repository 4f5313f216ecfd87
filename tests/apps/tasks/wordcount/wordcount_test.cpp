// Tests word count with small texts and with real ones.
#include "apps/tasks/wordcount/wordcount.hpp"

#include "cpu/features.hpp"
#include "cpu/scan/lower_case.hpp"
#include "cpu/scan/scan_words.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/oracle.hpp"
#include "tests/core/input/support.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/quick.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_wordcount_wordcount_test {
namespace {

using apps::wordcount;
using counts = std::map<std::string, std::uint64_t>;

counts counts_of(const result_for<wordcount>& result) {
  counts all;
  result.for_each([&](byte_view word, std::uint64_t count) { all[std::string(word.text())] += count; });
  CHECK(all.size() == result.size());
  return all;
}

counts oracle_counts(const std::vector<std::string>& texts, bool lower_case) {
  counts all;
  for (const std::string& text : texts) {
    for (const std::string& word : split_words(text, lower_case)) ++all[word];
  }
  return all;
}

/// Counts the words of a text, as one chunk, with the scanner of a given vector path.
counts scanned_counts(const std::string& text, bool lower_case, cpu::vector_path path) {
  const text_source padded(text, "text");
  cpu::lower_case_copy lowered;
  chunk part{padded.bytes().data, padded.units(), 0, 0};
  if (lower_case) part = lowered.copy(part);
  counts all;
  cpu::word_scanner(cpu::find_word_edges_for(path)).for_each_record(part, [&](byte_view word) {
    ++all[std::string(word.text())];
  });
  return all;
}

std::vector<cpu::vector_path> supported_paths() {
  std::vector<cpu::vector_path> paths;
  for (const auto path : {cpu::vector_path::portable, cpu::vector_path::avx2, cpu::vector_path::avx512}) {
    if (path <= cpu::best_vector_path()) paths.push_back(path);
  }
  return paths;
}

/// The two smaller real texts of $DUOMAP_DATA; empty when they are missing.
std::vector<std::string> real_texts() {
  const char* const data = std::getenv("DUOMAP_DATA");
  std::vector<std::string> paths;
  for (const char* const name : {"bible_kjv.txt.gz", "tinyshakespeare.txt.gz"}) {
    const std::string path = std::string(data != nullptr ? data : "") + "/text/" + name;
    if (std::filesystem::exists(path)) paths.push_back(path);
  }
  return paths;
}

TEST_CASE("word count: the words of a sentence") {
  const input text = text_input("The cat's hat, the CAT'S hat -- caf\xC3\xA9 42!");
  CHECK(
      counts_of(run(wordcount{}, text)) ==
      counts{{"The", 1}, {"cat's", 1}, {"hat", 2}, {"the", 1}, {"CAT'S", 1}, {"caf\xC3\xA9", 1}, {"42", 1}});
  CHECK(counts_of(run(wordcount{.lower_case = true}, text)) ==
        counts{{"the", 2}, {"cat's", 2}, {"hat", 2}, {"caf\xC3\xA9", 1}, {"42", 1}});
}

TEST_CASE("word count: no word continues in the next file") {
  const temporary_folder folder;
  const std::vector<std::string> paths = {folder.write("a", "one tw"), folder.write("b", "o three"),
                                          folder.write("c", ""), folder.write("d", "four")};
  CHECK(counts_of(run(wordcount{}, open_input(paths))) ==
        counts{{"one", 1}, {"tw", 1}, {"o", 1}, {"three", 1}, {"four", 1}});
}

TEST_CASE("word count: every vector path counts the same") {
  auto random = std::mt19937_64(seed());
  auto samples = boundary_texts(random);
  for (std::uint64_t size = 4080; size < 4110; ++size) {
    samples.push_back({std::to_string(size) + " bytes", {random_words(random, size, 60)}});
  }
  for (const sample& one : samples) {
    INFO(one.name);
    for (const bool lower_case : {false, true}) {
      for (const std::string& text : one.parts) {
        const counts expected = oracle_counts({text}, lower_case);
        for (const auto path : supported_paths()) {
          INFO(cpu::name(path) << (lower_case ? ", lower case" : ""));
          CHECK((scanned_counts(text, lower_case, path) == expected));
        }
      }
    }
  }
}

TEST_CASE("word count: real texts") {
  const std::vector<std::string> paths = real_texts();
  if (paths.empty()) {
    WARN("no texts: set DUOMAP_DATA to a folder that holds text/*.txt.gz");
    return;
  }
  input from = open_input(paths);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < from.size(); ++i) texts.push_back(content(from[i]));
  const temporary_folder folder;
  if (quick()) {
    std::vector<std::string> beginnings;
    for (std::string& text : texts) {
      text.resize(100'000);
      beginnings.push_back(folder.write(std::to_string(beginnings.size()), text));
    }
    from = open_input(beginnings);
  }
  for (const bool lower_case : {false, true}) {
    const counts expected = oracle_counts(texts, lower_case);
    for (const unsigned threads : {1u, 2u, 7u}) {
      INFO(threads << " threads" << (lower_case ? ", lower case" : ""));
      cpu::tbb_pool pool(threads);
      CHECK((counts_of(run(wordcount{.lower_case = lower_case}, from, pool)) == expected));
      CHECK((counts_of(run(wordcount{.lower_case = lower_case}, make_input({"copy", texts}), pool)) ==
             expected));
    }
    for (const auto path : supported_paths()) {
      counts scanned;
      for (const std::string& text : texts) {
        for (const auto& [word, count] : scanned_counts(text, lower_case, path)) scanned[word] += count;
      }
      INFO(cpu::name(path));
      CHECK((scanned == expected));
    }
  }
}

}  // namespace
}  // namespace duomap::test::apps_tasks_wordcount_wordcount_test
