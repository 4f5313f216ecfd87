// Rows of typed cells under column names, as TSV, CSV or JSON lines.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/output/byte_sink.hpp"

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace duomap {

/// The formats of tables. No format loses a byte of a text, and lines end with '\n' in all of them.
enum class table_format {
  /// Cells separated by tabs, no header (as sort, uniq and cut expect). In text, backslash, tab, newline and
  /// carriage return are written as \\ \t \n \r.
  tsv,
  /// RFC 4180 quoting, with a header row. Text that holds a comma, a quote or a line break, and empty text,
  /// is quoted. Other bytes are written as they are.
  csv,
  /// One JSON object per line. Text that is valid UTF-8 is the string NAME; other text is the string
  /// NAME_base64, the RFC 4648 encoding of its bytes. Doubles that JSON cannot express are the strings
  /// "nan", "inf" and "-inf".
  jsonl,
  /// The form for a terminal: as tsv, but bytes that a terminal may obey, and bytes that are no UTF-8, become
  /// \x1b and the like (escaped_controls()).
  terminal,
};

/// A value that is not there: nothing in TSV and CSV, null in JSON lines.
struct missing_cell {
  friend constexpr auto operator<=>(const missing_cell&, const missing_cell&) = default;
};

/// A number, a text, or a missing value. Doubles are written as the shortest decimal that reads back as the
/// same double.
using cell = std::variant<std::uint64_t, std::int64_t, double, byte_view, missing_cell>;

/// Writes a table to a sink that outlives it, without allocating per row. Throws the errors of the sink; the
/// last rows are in the sink's buffer, which the sink's owner flushes. Used by one thread at a time.
class table_writer {
 public:
  /// Writes the header, if the format has one. Column names are UTF-8.
  table_writer(byte_sink& sink, table_format format, const std::vector<std::string>& columns);

  /// Writes one row. `cells` has as many cells as there are columns.
  void row(std::span<const cell> cells);
  void row(std::initializer_list<cell> cells) { row(std::span<const cell>(cells.begin(), cells.size())); }

 private:
  // The text before a column's value in a JSON line: separator, name, colon, and the opening quote of a text
  // in base64.
  struct json_column {
    std::string prefix;
    std::string base64_prefix;
  };

  void separated_row(std::span<const cell> cells, char separator, void (*write_text)(byte_sink&, byte_view));
  void json_row(std::span<const cell> cells);

  byte_sink& sink_;
  table_format format_;
  std::vector<json_column> columns_;
};

}  // namespace duomap
