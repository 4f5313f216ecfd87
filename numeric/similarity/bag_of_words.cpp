// Counts words with two jobs, and puts the counts of the kept words into a sparse matrix.
#include "numeric/similarity/bag_of_words.hpp"

#include "core/error.hpp"
#include "core/parallel_sort.hpp"
#include "core/path_problem.hpp"
#include "core/result.hpp"
#include "core/text/keyed_hash.hpp"
#include "duomap.hpp"
#include "numeric/similarity/document_words.hpp"
#include "scheduler/chained_run.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>

namespace duomap {
namespace {

using row_of_word = keyed_result<documents_of_word>::row;

/// The words to keep, in byte order, and the number of documents of each.
std::vector<row_of_word> kept_words(const keyed_result<documents_of_word>& found,
                                    const bag_of_words_options& options, worker_pool& pool) {
  std::vector<row_of_word> words;
  found.for_each([&](byte_view word, std::uint64_t documents) {
    if (documents >= options.fewest_documents) words.push_back({word, documents});
  });
  if (options.most_words > 0 && words.size() > options.most_words) {
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(options.most_words);
    std::nth_element(words.begin(), end, words.end(), by_value);
    words.erase(end, words.end());
  }
  parallel_sort(words, by_key, pool);
  return words;
}

/// A number of the matrix, before its place in the matrix is known.
struct element {
  std::uint64_t document;
  std::uint32_t word;
  float value;
};

/// Every line is a document, so the documents of a source are its lines in order.
std::vector<std::string> line_names(const input& texts, const std::vector<std::uint64_t>& documents) {
  std::vector<std::string> names;
  std::uint32_t source = 0;
  std::uint64_t line = 0;
  for (const std::uint64_t one : documents) {
    const document_place place = document_place::unpack(one);
    line = place.source == source && !names.empty() ? line + 1 : 1;
    source = place.source;
    names.push_back(texts[source].name() + ":" + std::to_string(line));
  }
  return names;
}

}  // namespace

word_vectors bag_of_words(const input& texts, worker_pool& pool, const bag_of_words_options& options) {
  const bool by_line = options.document == bag_of_words_options::documents::lines;
  if (texts.size() >= std::uint64_t{1} << (64 - document_place::offset_bits))
    throw usage_error("a bag of words takes less than 2^24 files; join some of them");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (by_line && texts[i].addressable() && texts[i].units() >> document_place::offset_bits > 0)
      throw usage_error(quoted(texts[i].name()) +
                        " has more than 2^40 bytes, too many for documents that are lines");
  }
  const run_options how{.device = device_choice::cpu, .control = options.control};
  const auto counts = run(document_words{by_line, options.lower_case}, texts, pool, how);
  const auto frequencies = run(documents_of_word{}, entries_of(counts), pool, how);
  const std::vector<row_of_word> words = kept_words(frequencies, options, pool);

  word_vectors found;
  std::unordered_map<std::string_view, std::uint32_t, keyed_hash> column_of;
  column_of.reserve(words.size());
  for (const row_of_word& one : words) {
    column_of.emplace(one.key.text(), static_cast<std::uint32_t>(found.words.size()));
    found.words.emplace_back(one.key.text());
  }
  std::vector<std::uint64_t> documents;
  std::vector<element> elements;
  counts.for_each([&](byte_view key, std::uint64_t count) {
    const byte_view word = document_words::word_of(key);
    const std::uint64_t document = document_words::document_of(key);
    if (word.size == 0) {
      documents.push_back(document);
    } else if (const auto column = column_of.find(word.text()); column != column_of.end()) {
      elements.push_back({document, column->second, static_cast<float>(count)});
    }
  });
  if (by_line) {
    parallel_sort(documents, std::less<>{}, pool);
    found.documents = line_names(texts, documents);
  } else {
    documents.clear();
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      documents.push_back(document_place{i, 0}.packed());
      found.documents.push_back(texts[i].name());
    }
  }
  parallel_sort(
      elements,
      [](const element& a, const element& b) {
        return a.document != b.document ? a.document < b.document : a.word < b.word;
      },
      pool);

  std::vector<double> weights(words.size(), 1);
  if (options.weight == bag_of_words_options::weights::tf_idf) {
    const auto all = static_cast<double>(documents.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      weights[i] = std::log((1 + all) / (1 + static_cast<double>(words[i].value))) + 1;
  }
  found.rows.columns = words.size();
  found.rows.column_of.reserve(elements.size());
  found.rows.values.reserve(elements.size());
  std::size_t next = 0;
  for (const std::uint64_t document : documents) {
    for (; next < elements.size() && elements[next].document == document; ++next) {
      found.rows.column_of.push_back(elements[next].word);
      found.rows.values.push_back(static_cast<float>(elements[next].value * weights[elements[next].word]));
    }
    found.rows.row_start.push_back(next);
  }
  return found;
}

matrix<float> dense_rows(const sparse_matrix<float>& sparse) {
  matrix<float> dense(sparse.rows(), sparse.columns, "the matrix of documents and words");
  for (std::uint64_t row = 0; row < sparse.rows(); ++row) {
    const auto columns = sparse.columns_of_row(row);
    const auto values = sparse.values_of_row(row);
    for (std::size_t i = 0; i < columns.size(); ++i) dense.row(row)[columns[i]] = values[i];
  }
  return dense;
}

}  // namespace duomap
