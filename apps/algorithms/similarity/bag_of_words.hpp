// Texts as vectors: how often each word occurs in each document.
// host only
#pragma once

#include "apps/algorithms/numeric/matrix.hpp"
#include "apps/algorithms/numeric/sparse_matrix.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// Settings of bag_of_words().
struct bag_of_words_options {
  enum class documents {
    files,  ///< each source is a document, empty ones too
    lines,  ///< each line is a document, blank ones too
  };
  enum class weights {
    counts,  ///< how often the word occurs in the document
    /// That times ln((1 + n) / (1 + d)) + 1, n the number of documents and d of those with the word
    /// (scikit-learn's TfidfTransformer with norm=None).
    tf_idf,
  };

  documents document = documents::files;
  weights weight = weights::counts;
  bool lower_case = true;              ///< ASCII capital letters are small ones
  std::uint64_t fewest_documents = 1;  ///< words of fewer documents are left out
  /// Of the words that remain, only so many: those of the most documents, of equal ones the first in byte
  /// order. 0: all.
  std::uint64_t most_words = 0;
  run_control* control = nullptr;  ///< progress out, cancellation in; may be null
};

/// What bag_of_words() gives.
struct word_vectors {
  sparse_matrix<float> rows;           ///< a row for each document, a column for each word
  std::vector<std::string> words;      ///< of the columns, in byte order: the same for the same texts
  std::vector<std::string> documents;  ///< of the rows: "FILE", or "FILE:LINE", which counts from 1
};

/// Counts the words of documents (core/record/words.hpp says what a word is) by two jobs of the CPU's
/// workers: (document, word) -> 1, and from its result word -> documents. The same for any number of workers;
/// counts above 2^24 are rounded to a float. Memory: some 24 bytes for each word of a document.
/// @throws input_error, out_of_memory, interrupted; usage_error for 2^24 files or more, and for lines of a
/// file of 2^40 bytes or more
[[nodiscard]] word_vectors bag_of_words(const input& texts, worker_pool& pool,
                                        const bag_of_words_options& options = {});

/// The rows of a sparse matrix with all their zeros.
/// @throws out_of_memory
[[nodiscard]] matrix<float> dense_rows(const sparse_matrix<float>& sparse);

}  // namespace duomap
