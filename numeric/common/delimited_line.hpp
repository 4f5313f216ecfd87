// Splits a line of delimited text into fields, with quotes: CSV, TSV, fields between spaces.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace duomap {

/// One field, without its quotes and the spaces around it.
struct delimited_field {
  byte_view text;
  bool quoted = false;
  /// Whether the text has doubled quotes, each pair of which stands for one quote.
  bool has_doubled_quotes = false;
  /// Whether the closing quote is missing, or text stands between it and the delimiter.
  bool malformed = false;

  /// The text with each doubled quote replaced by a single one.
  [[nodiscard]] std::string unquoted() const;
};

/// Whether a byte is a blank around a field: a space, or a tab that is not the delimiter.
[[nodiscard]] constexpr bool is_blank(char c, char delimiter) {
  return c == ' ' || (c == '\t' && delimiter != '\t');
}

/// The first of tab, comma and semicolon, in this order, that stands in the line outside quotes.
[[nodiscard]] std::optional<char> find_delimiter(byte_view line);

/// Reads the fields of a line one by one. A line has one field more than delimiters outside quotes. If the
/// delimiter is a space, any run of spaces and tabs is one delimiter, and spaces at either end of the line
/// are no delimiters.
class delimited_line {
 public:
  /// @param line without the line feed; a carriage return at its end is ignored
  delimited_line(byte_view line, char delimiter);

  /// Reads the next field; false when no field is left.
  [[nodiscard]] bool next(delimited_field& field);

  /// Whether another field follows.
  [[nodiscard]] bool more() const noexcept { return more_; }
  /// The place where the next field, or the spaces before it, begins; the end of the line if no field is
  /// left.
  [[nodiscard]] const char* place() const noexcept { return at_; }

 private:
  void read_quoted(delimited_field& field);
  void read_plain(delimited_field& field);
  void skip_blanks();

  const char* at_;
  const char* end_;
  char delimiter_;
  bool more_ = true;
};

}  // namespace duomap
