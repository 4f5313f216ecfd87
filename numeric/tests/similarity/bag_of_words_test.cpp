// Tests that the bag of words equals words that are split and counted one by one.
#include "numeric/similarity/bag_of_words.hpp"

#include "cpu/machine_pool.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/oracle.hpp"
#include "tests/support/inputs.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace duomap::test::numeric_similarity_bag_of_words_test {
namespace {

using counts_of_document = std::map<std::string, float>;

std::vector<counts_of_document> rows_of(const word_vectors& found) {
  std::vector<counts_of_document> rows(found.rows.rows());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto columns = found.rows.columns_of_row(row);
    CHECK(std::is_sorted(columns.begin(), columns.end()));
    for (std::size_t i = 0; i < columns.size(); ++i)
      rows[row][found.words[columns[i]]] = found.rows.values_of_row(row)[i];
  }
  return rows;
}

std::vector<counts_of_document> expected_rows(const sample& from, const bag_of_words_options& options) {
  std::vector<counts_of_document> rows;
  const auto add = [&](const std::string& text) {
    rows.emplace_back();
    for (const std::string& word : split_words(text, options.lower_case)) ++rows.back()[word];
  };
  for (const std::string& part : from.parts) {
    if (options.document == bag_of_words_options::documents::files) {
      add(part);
    } else {
      for (const auto& [start, size] : split_lines(part)) add(part.substr(start, size));
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("bag of words: counts of files and of lines", "[similarity]") {
  std::mt19937_64 random(seed());
  sample from{.name = "text", .parts = {}};
  for (const std::uint64_t bytes : {0u, 1u, 3000u, 40'000u, 10u})
    from.parts.push_back(random_words(random, bytes, 500));
  from.parts[3] += std::string(2000, 'W') + "\n\n\nend";
  for (const auto document :
       {bag_of_words_options::documents::files, bag_of_words_options::documents::lines}) {
    for (const bool lower_case : {false, true}) {
      const bag_of_words_options options{.document = document, .lower_case = lower_case};
      const auto expected = expected_rows(from, options);
      std::set<std::string> words;
      for (const auto& row : expected) {
        for (const auto& [word, count] : row) words.insert(word);
      }
      for (const layout form : {layout::addressable, layout::alternating}) {
        for (const unsigned threads : {1u, 3u}) {
          const input texts = make_input(from, form);
          const auto pool = cpu::machine_pool(threads, texts);
          const word_vectors found = bag_of_words(texts, *pool, options);
          CHECK(found.words == std::vector<std::string>(words.begin(), words.end()));
          CHECK(found.documents.size() == expected.size());
          const bool same = rows_of(found) == expected;
          CHECK(same);
        }
      }
    }
  }
}

TEST_CASE("bag of words: names, choice of words and weights", "[similarity]") {
  const sample from{.name = "f", .parts = {"a b b\nc a\n\n", "A d"}};
  const input texts = make_input(from);
  sequential caller;
  bag_of_words_options options{.document = bag_of_words_options::documents::lines};
  const word_vectors all = bag_of_words(texts, caller, options);
  CHECK(all.documents == std::vector<std::string>{"f 0:1", "f 0:2", "f 0:3", "f 1:1"});
  CHECK(all.words == std::vector<std::string>{"a", "b", "c", "d"});
  CHECK(all.rows.row_start == std::vector<std::uint64_t>{0, 2, 4, 4, 6});
  const matrix<float> dense = dense_rows(all.rows);
  CHECK(std::vector<float>(dense.data(), dense.data() + 16) ==
        std::vector<float>{1, 2, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1});

  options.most_words = 2;  // b, c and d occur in one document each
  CHECK(bag_of_words(texts, caller, options).words == std::vector<std::string>{"a", "b"});
  options.fewest_documents = 2;
  CHECK(bag_of_words(texts, caller, options).words == std::vector<std::string>{"a"});
  options.weight = bag_of_words_options::weights::tf_idf;
  CHECK(bag_of_words(texts, caller, options).rows.values[0] == Approx(std::log(5.0 / 4) + 1));
  CHECK(bag_of_words(text_input(""), caller).rows.rows() == 1);
  CHECK(bag_of_words(text_input(""), caller, options).rows.rows() == 0);
}

}  // namespace duomap::test::numeric_similarity_bag_of_words_test
