// Declares the options for reading a file of numbers.
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

/// The treatment of a bad row: a row with more or fewer fields than the first row, a missing value, a number
/// that is too large, an infinity, or a text in place of a number.
enum class bad_rows {
  error,  ///< input_error that names the first such line and its problem
  drop,   ///< the row is left out and counted
};

/// The treatment of a column of texts that are not numbers ("tcp", "udp").
enum class symbol_columns {
  error,      ///< input_error that names line and column
  encode,     ///< the value is the text's index among all texts of the column, in byte order
  leave_out,  ///< the column is not read
};

/// Advice that a message about a bad row may give beside correcting the row. It names options of the program
/// that reads the table.
enum class table_advice {
  none,
  bad_rows,  ///< --bad-rows
  all,  ///< --bad-rows, --header, --delimiter, --symbols and --leave-out (numeric/commands/table_flags.hpp)
};

/// Settings of read_table().
///
/// A column is named by its name in the header, by its number, which counts from 1, or by the word "last".
struct table_options {
  /// None: recognised by the file's first bytes and its name (see read_table.hpp).
  std::optional<data_format> format = std::nullopt;

  /// Whether a file is decompressed and its encoding converted.
  input_content content = input_content::text;

  // Options for delimited text.

  /// The delimiter between fields. A space means any run of spaces and tabs. None: tab, comma or semicolon,
  /// the first of these three that the first line has outside quotes; spaces if it has none. Characters of
  /// numbers, quotes and ends of lines cannot be delimiters.
  std::optional<char> delimiter = std::nullopt;
  /// Whether the first line names the columns. None: it does if none of its fields is a number, and the
  /// second line has a number.
  std::optional<bool> header = std::nullopt;
  /// The column of the label, which may be any text; empty: none.
  std::string label = {};
  /// The columns to read; empty: all.
  std::vector<std::string> columns = {};
  /// The columns not to read.
  std::vector<std::string> leave_out = {};
  symbol_columns symbols = symbol_columns::error;
  /// For `encode`: the texts of each encoded column of another table (labelled_table::symbols), so that a
  /// number means the same text in both tables. A row with any other text is bad. This table must have the
  /// other table's columns. Empty: texts are numbered as found.
  std::vector<std::vector<std::string>> known_symbols = {};

  // Options for all formats.

  /// A function that gets the number of rows and columns before values are read, if the file tells them, as
  /// arrays do. May be null.
  std::function<void(std::uint64_t, std::uint64_t)> on_shape = nullptr;
  bad_rows rows = bad_rows::error;
  table_advice advice = table_advice::none;
  /// If true, NaN and infinity are ordinary values, and the text nan is not a missing value. Other missing
  /// values stay missing.
  bool allow_non_finite = false;

  // Options for LIBSVM text.

  /// The index of the first column, 0 or 1. None: 0 if a row has the index 0, else 1.
  std::optional<std::uint64_t> first_index = std::nullopt;
  /// The least number of features, for files in which no row has the last features: a test set needs the
  /// number of its training set. 0: the largest index decides.
  std::uint64_t features = 0;
  /// If true, an index beyond `features` is an error in its line; ignored when `features` is 0.
  bool at_most_features = false;

  // Options for IDX and .npy.

  /// The file of labels, one for each row: IDX, .npy or delimited text of one column. Empty: none.
  std::string labels_path = {};

  // Options of the work.

  /// The most CPU threads; 0: all that the process may use.
  unsigned threads = 0;
  /// Reading ends when this run is cancelled; may be null.
  const run_control* control = nullptr;
};

}  // namespace duomap
