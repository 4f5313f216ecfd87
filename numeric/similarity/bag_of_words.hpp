// Makes vectors of texts: the number of times that each word occurs in each document.
// host only
#pragma once

#include "core/input/input.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/matrix.hpp"
#include "numeric/common/sparse_matrix.hpp"

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
    /// The count times ln((1 + n) / (1 + d)) + 1, where d of the n documents have the word (scikit-learn's
    /// TfidfTransformer with norm=None).
    tf_idf,
  };

  documents document = documents::files;
  weights weight = weights::counts;
  bool lower_case = true;              ///< ASCII capital letters become small letters
  std::uint64_t fewest_documents = 1;  ///< leaves out words of fewer documents
  /// The number of words to keep: the words that occur in the most documents, and of equal words the first in
  /// byte order. 0: all.
  std::uint64_t most_words = 0;
  run_control* control = nullptr;  ///< progress out, cancellation in; may be null
};

/// The result of bag_of_words().
struct word_vectors {
  sparse_matrix<float> rows;           ///< a row for each document, a column for each word
  std::vector<std::string> words;      ///< names of the columns, in byte order
  std::vector<std::string> documents;  ///< names of the rows: "FILE", or "FILE:LINE", which counts from 1
};

/// Counts the words of documents (core/record/words.hpp defines a word) in two runs of the CPU's workers:
/// first each word of each document, then the documents of each word. Any number of workers gives the same
/// result. Counts above 2^24 are rounded to a float. Memory: about 24 bytes for each word of a document.
/// @throws input_error, out_of_memory, interrupted; usage_error for 2^24 files or more, and for lines of a
/// file of 2^40 bytes or more
[[nodiscard]] word_vectors bag_of_words(const input& texts, worker_pool& pool,
                                        const bag_of_words_options& options = {});

/// Copies a sparse matrix into a dense one.
/// @throws out_of_memory
[[nodiscard]] matrix<float> dense_rows(const sparse_matrix<float>& sparse);

}  // namespace duomap
