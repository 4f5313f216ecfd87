// How a file of numbers is to be read.
// host only
#pragma once

#include "core/input/input_content.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

struct run_control;

/// Formats of files of numbers; each may be compressed.
enum class data_format {
  delimited,  ///< lines of fields: CSV, TSV, fields between spaces
  npy,        ///< NumPy's array file
  libsvm,     ///< LIBSVM's text: LABEL INDEX:VALUE INDEX:VALUE ...
  idx,        ///< MNIST's format
};

/// What to do with a row that does not fit: another number of fields than the first, a missing value, a
/// number that is too large, infinity, or a text where a number should be.
enum class bad_rows {
  error,  ///< input_error that names the first such line and says what is wrong there
  drop,   ///< leave it out and count it
};

/// What to do with a column of texts that are not numbers ("tcp", "udp").
enum class symbol_columns {
  error,      ///< input_error that names line and column
  encode,     ///< the value is the text's index among all texts of the column, in byte order
  leave_out,  ///< the column is not read
};

/// What the message of a bad row may advise beside correcting it: options of the program that reads the
/// table.
enum class table_advice {
  none,
  bad_rows,  ///< --bad-rows
  all,       ///< --bad-rows, --header, --delimiter, --symbols and --leave-out (apps/cli/table_flags.hpp)
};

/// Settings of read_table().
///
/// A column is named by its name in the header, by its number, which counts from 1, or by the word "last".
struct table_options {
  /// None: by the file's first bytes and its name (read_table.hpp says how).
  std::optional<data_format> format = std::nullopt;

  /// Whether a file is decompressed and its encoding converted.
  input_content content = input_content::text;

  // Delimited text.

  /// Between two fields. A space means any run of spaces and tabs. None: tab, comma or semicolon,
  /// the first of these that the first line has outside quotes; spaces if it has none of them. What numbers
  /// are made of, quotes and ends of lines cannot be one.
  std::optional<char> delimiter = std::nullopt;
  /// Whether the first line names the columns. None: it does when no field of it is a number and one of the
  /// second line is.
  std::optional<bool> header = std::nullopt;
  /// The column that holds the label, which may be any text; empty: none.
  std::string label = {};
  /// The columns to read; empty: all.
  std::vector<std::string> columns = {};
  /// The columns not to read.
  std::vector<std::string> leave_out = {};
  symbol_columns symbols = symbol_columns::error;
  /// For `encode`: the texts of each encoded column, as labelled_table::symbols of another table has them,
  /// so that both mean the same by a number. A text that is not among them makes a bad row. Empty: as found.
  /// The columns must then be those of that table.
  std::vector<std::vector<std::string>> known_symbols = {};

  // All formats.

  /// Called with the numbers of rows and columns of a file that tells them, an array, before its values are
  /// looked at. May be null.
  std::function<void(std::uint64_t, std::uint64_t)> on_shape = nullptr;
  bad_rows rows = bad_rows::error;
  table_advice advice = table_advice::none;
  /// NaN and infinity are values like any other; the text nan is then no missing value. What is missing is
  /// still no value.
  bool allow_non_finite = false;

  // LIBSVM text.

  /// The index of the first column, 0 or 1. None: 0 where a row has the index 0, else 1.
  std::optional<std::uint64_t> first_index = std::nullopt;
  /// Features that rows have at least, where no row has the last ones (a test set: as many as the training
  /// set). 0: as many as the largest index says.
  std::uint64_t features = 0;
  /// A larger index than `features` is an error of its line; of no meaning when `features` is 0.
  bool at_most_features = false;

  // IDX and .npy.

  /// The file of labels, one for each row: IDX, .npy or delimited text of one column. Empty: none.
  std::string labels_path = {};

  // The work.

  /// CPU threads at most; 0 means all that the process may use.
  unsigned threads = 0;
  /// Cancellation in; may be null.
  const run_control* control = nullptr;
};

}  // namespace duomap
