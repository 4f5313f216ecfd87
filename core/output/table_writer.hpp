// Writes tables as TSV, CSV or JSON lines: rows of cells below column names.
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

/// The formats of tables. Every format keeps all bytes of a text, and ends lines with '\n'.
enum class table_format {
  /// Cells with tabs between them, and no header, as sort, uniq and cut expect. In a text, backslash, tab,
  /// newline and carriage return become \\ \t \n \r.
  tsv,
  /// Quotes as in RFC 4180, and a header row. A text is quoted if it is empty or has a comma, a quote or a
  /// line break. Other bytes are written as they are.
  csv,
  /// One JSON object per line. A text that is UTF-8 is the string NAME; any other text is the string
  /// NAME_base64 (RFC 4648). Doubles that JSON lacks are the strings "nan", "inf" and "-inf".
  jsonl,
  /// For a terminal: like tsv, but bytes that could command a terminal, and bytes that are no UTF-8, become
  /// \x1b and the like (escaped_controls()).
  terminal,
};

/// A value that is missing: an empty cell in TSV and CSV, null in JSON lines.
struct missing_cell {
  friend constexpr auto operator<=>(const missing_cell&, const missing_cell&) = default;
};

/// A number, a text, or a missing value. A double is written as the shortest decimal that reads back the
/// same.
using cell = std::variant<std::uint64_t, std::int64_t, double, byte_view, missing_cell>;

/// Writes a table to a sink, without allocating memory per row. The sink must outlive the writer, and its
/// owner must flush the last rows. Throws the errors of the sink. Used by one thread at a time.
class table_writer {
 public:
  /// Writes the header, if the format has one. Column names are UTF-8.
  table_writer(byte_sink& sink, table_format format, const std::vector<std::string>& columns);

  /// Writes one row. `cells` has as many cells as there are columns.
  void row(std::span<const cell> cells);
  void row(std::initializer_list<cell> cells) { row(std::span<const cell>(cells.begin(), cells.size())); }

 private:
  // The text in front of a value in a JSON line: separator, name, colon, and for base64 the opening quote.
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
