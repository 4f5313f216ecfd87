// Naive Bayes: learns from a table of categories, and classifies the rows of another.
// host only
#pragma once

#include "apps/algorithms/naivebayes/naive_bayes_model.hpp"
#include "apps/algorithms/numeric/table_options.hpp"
#include "core/input/input.hpp"
#include "core/job_options.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// Settings of naive_bayes_train(). A column is named by its name in the header, by its number, which counts
/// from 1, or by the word "last".
struct naive_bayes_options {
  std::string label = "last";               ///< the column with the class
  std::vector<std::string> leave_out = {};  ///< columns that are no attributes
  /// Between two fields. None: tab, comma or semicolon, the first of these that the first line has outside
  /// quotes.
  std::optional<char> delimiter = std::nullopt;
  bool header = false;  ///< the first line of each file names the columns
  double alpha = 1;     ///< Laplace's smoothing, above 0
  missing_values missing = missing_values::category;
  bad_rows rows = bad_rows::error;  ///< what to do with lines that are no rows
};

/// What naive_bayes_train() gives.
struct naive_bayes_training {
  naive_bayes_model model;
  std::uint64_t malformed = 0;   ///< lines that were left out because they are no rows
  std::uint64_t unlabelled = 0;  ///< rows that were left out because their label is missing
};

/// Counts the categories of a table by class, on all devices that the job options allow: one pass, and the
/// counts are the same whatever ran where. Each different text is a category, numbers too: nothing is
/// rounded or put into ranges.
///
/// A row is a line with as many fields as the first. Blanks around fields are no part of them; a field in
/// quotes may hold the delimiter, and quotes that are doubled, but no end of line. Lines end with LF or CRLF;
/// those with nothing but blanks are skipped. A class and a category together have at most 1000 bytes, a
/// table at most 65,000 columns. The first lines are read before the others, so a pipe cannot be read.
/// @throws input_error when there are no rows with a label, or, naming file and line, for one that is no row
/// (bad_rows::error); usage_error when an option names a column that is not there; what duomap::run() throws
[[nodiscard]] naive_bayes_training naive_bayes_train(const input& table, worker_pool& pool,
                                                     const naive_bayes_options& options = {},
                                                     const job_options& how = {});

/// What naive Bayes says of a row.
struct classified_row {
  static constexpr std::uint32_t no_class = ~std::uint32_t{0};  ///< a missing label, or no row at all
  static constexpr std::uint32_t unknown_class = ~std::uint32_t{0} - 1;  ///< a label that the model never saw

  /// Natural logarithm of the probability of the class, given the row's categories.
  double log_probability;
  std::uint32_t predicted;  ///< of the classes with the largest probability the first; no_class: no row
  std::uint32_t label;      ///< the class that the row has; no_class, unknown_class
};

/// What naive_bayes_classify() gives.
struct naive_bayes_answer {
  std::vector<classified_row> rows;  ///< in the order of the lines
  std::uint64_t malformed = 0;       ///< lines that are no rows; they have a place among the rows
  std::uint64_t unlabelled = 0;      ///< rows whose label is missing, or all if there is no such column
  std::uint64_t unknown_labels = 0;  ///< rows whose label the model never saw
  std::uint64_t unknown_values = 0;  ///< values that the model never saw: each was left out of its row's sum
  std::uint64_t correct = 0;         ///< rows whose label was predicted

  /// Rows that can be right or wrong.
  [[nodiscard]] std::uint64_t judged() const { return rows.size() - malformed - unlabelled; }
  /// The share of them that is right; NaN if there are none.
  [[nodiscard]] double accuracy() const {
    return static_cast<double>(correct) / static_cast<double>(judged());
  }
};

/// Classifies the rows of a table whose columns are those of the training set, or those without the label's.
/// The class with the largest sum of log prior and log likelihoods; a category that the model never saw says
/// nothing of any class. Sums are made in the order of the columns, so that they do not depend on threads.
/// Runs on the CPU's workers. Memory: 32 bytes for each row.
/// @throws as naive_bayes_train()
[[nodiscard]] naive_bayes_answer naive_bayes_classify(const naive_bayes_model& model, const input& table,
                                                      worker_pool& pool, bad_rows malformed = bad_rows::error,
                                                      const job_options& how = {});

}  // namespace duomap
