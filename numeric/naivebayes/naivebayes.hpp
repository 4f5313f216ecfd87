// Learns from a table of categories by naive Bayes, and classifies the rows of another table.
// host only
#pragma once

#include "core/input/input.hpp"
#include "core/run_options.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/table_options.hpp"
#include "numeric/naivebayes/naivebayes_model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// Settings of naivebayes_train(). A column is given by its name in the header, by its number, which counts
/// from 1, or by the word "last".
struct naivebayes_options {
  std::string label = "last";               ///< the column with the class
  std::vector<std::string> leave_out = {};  ///< columns that are not attributes
  /// The delimiter between fields. None: tab, comma or semicolon, the first of these three that the first
  /// line has outside quotes.
  std::optional<char> delimiter = std::nullopt;
  bool header = false;  ///< the first line of each file names the columns
  double alpha = 1;     ///< Laplace's smoothing, above 0
  missing_values missing = missing_values::category;
  bad_rows rows = bad_rows::error;  ///< whether lines that are no rows are errors or are dropped
};

/// The result of naivebayes_train().
struct naivebayes_training {
  naivebayes_model model;
  std::uint64_t malformed = 0;   ///< dropped lines that are no rows
  std::uint64_t unlabelled = 0;  ///< dropped rows with a missing label
};

/// Counts the categories of a table by class, in one pass, on all devices that the options allow. Every
/// device and split gives the same counts. Each different text is a category, numbers too: nothing is rounded
/// or put into ranges.
///
/// A row is a line with the same number of fields as the first one. Blanks around fields do not belong to
/// them. A field in quotes may hold the delimiter and doubled quotes, but no end of line. Lines end with LF
/// or CRLF; lines of only blanks are skipped. A class and a category have at most 1000 bytes together, a
/// table at most 65,000 columns. The first lines are read before the others, so a pipe cannot be read.
/// @throws input_error when no row has a label, or, naming file and line, for a line that is no row
/// (bad_rows::error); usage_error when an option names a column that does not exist; all errors of
/// duomap::run()
[[nodiscard]] naivebayes_training naivebayes_train(const input& table, worker_pool& pool,
                                                   const naivebayes_options& options = {},
                                                   const run_options& how = {});

/// The classification of one row.
struct classified_row {
  static constexpr std::uint32_t no_class = ~std::uint32_t{0};  ///< a missing label, or no row at all
  static constexpr std::uint32_t unknown_class = ~std::uint32_t{0} - 1;  ///< a label that is not in the model

  /// The natural logarithm of the probability of the predicted class, given the row's categories.
  double log_probability;
  std::uint32_t predicted;  ///< the most probable class, the first of equal ones; no_class: no row
  std::uint32_t label;      ///< the row's own class, or no_class, or unknown_class
};

/// The result of naivebayes_classify().
struct naivebayes_answer {
  std::vector<classified_row> rows;  ///< in the order of the lines
  std::uint64_t malformed = 0;       ///< lines that are no rows; they still have an entry in `rows`
  std::uint64_t unlabelled = 0;      ///< rows with a missing label; all rows if there is no column for it
  std::uint64_t unknown_labels = 0;  ///< rows whose label is not in the model
  std::uint64_t unknown_values = 0;  ///< values that are not in the model; their rows' sums leave them out
  std::uint64_t correct = 0;         ///< rows with a right prediction

  /// The number of rows whose prediction can be right or wrong.
  [[nodiscard]] std::uint64_t judged() const { return rows.size() - malformed - unlabelled; }
  /// The share of the judged rows with a right prediction; NaN if there are none.
  [[nodiscard]] double accuracy() const {
    return static_cast<double>(correct) / static_cast<double>(judged());
  }
};

/// Classifies the rows of a table that has the columns of the training set, with or without the label's. The
/// class with the largest sum of log prior and log likelihoods wins; a category that is not in the model is
/// left out of the sums. Sums follow the order of the columns, so they do not depend on threads. Runs on the
/// CPU's workers. Memory: 32 bytes for each row.
/// @throws as naivebayes_train()
[[nodiscard]] naivebayes_answer naivebayes_classify(const naivebayes_model& model, const input& table,
                                                    worker_pool& pool, bad_rows malformed = bad_rows::error,
                                                    const run_options& how = {});

}  // namespace duomap
