// The fields of one line of delimited text, with quotes: CSV, TSV, fields between spaces.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace duomap {

/// One field without the spaces around it and without its quotes.
struct delimited_field {
  byte_view text;
  bool quoted = false;
  /// The text holds doubled quotes that stand for one each.
  bool has_doubled_quotes = false;
  /// The closing quote is missing, or something stands between it and the delimiter.
  bool malformed = false;

  /// The text with single quotes for doubled ones.
  [[nodiscard]] std::string unquoted() const;
};

/// Whether a byte is a space that belongs to no field. A tab is one unless it is the delimiter.
[[nodiscard]] constexpr bool is_blank(char c, char delimiter) {
  return c == ' ' || (c == '\t' && delimiter != '\t');
}

/// Tab, comma or semicolon: the first of these that a line has outside quotes.
[[nodiscard]] std::optional<char> find_delimiter(byte_view line);

/// Reads the fields of a line one after the other. A line has one field more than it has delimiters outside
/// quotes; if the delimiter is a space, any run of spaces and tabs is one, and none counts at the line's
/// beginning and end.
class delimited_line {
 public:
  /// @param line without the line feed; a carriage return at its end is left out
  delimited_line(byte_view line, char delimiter);

  /// False when there is no field any more.
  [[nodiscard]] bool next(delimited_field& field);

  /// Whether there is a field behind those that were given.
  [[nodiscard]] bool more() const noexcept { return more_; }
  /// Where it, or the spaces before it, begins; else the line's end.
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
