// Reads a row of a table whose values are categories: the roles of its columns, and its fields in map.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/task.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap {

/// A field of a row, without its quotes and the blanks around it.
struct category_field {
  byte_view text;
  bool has_doubled_quotes = false;  ///< `text` has each quote twice, as in a quoted field

  /// Whether the field is empty or a question mark, as in the tables of the UCI repository.
  [[nodiscard]] DUOMAP_HD bool is_missing() const {
    return text.size == 0 || (text.size == 1 && text[0] == '?');
  }

  /// Writes the category, at most text.size bytes; returns the number of bytes.
  DUOMAP_HD std::uint64_t write(char* to) const {
    std::uint64_t size = 0;
    for (std::uint64_t i = 0; i < text.size; ++i) {
      to[size++] = text[i];
      if (has_doubled_quotes && text[i] == '"') ++i;
    }
    return size;
  }
};

/// Goes through the fields of a row by RFC 4180 within a line. Blanks around a field do not belong to it.
class category_fields {
 public:
  DUOMAP_HD category_fields(byte_view row, char delimiter) : row_(row), delimiter_(delimiter) {}

  /// Whether there is another field.
  [[nodiscard]] DUOMAP_HD bool more() const { return more_; }

  /// Reads the next field. False when its quotes do not fit: the closing quote is missing, or text follows
  /// it.
  [[nodiscard]] DUOMAP_HD bool next(category_field& found) {
    std::uint64_t begin = skip_blanks(at_);
    std::uint64_t end = 0;
    found.has_doubled_quotes = false;
    if (begin < row_.size && row_[begin] == '"') {
      std::uint64_t close = find_byte(row_, '"', ++begin);
      while (close + 1 < row_.size && row_[close + 1] == '"') {
        found.has_doubled_quotes = true;
        close = find_byte(row_, '"', close + 2);
      }
      if (close >= row_.size) return false;
      found.text = row_.sub(begin, close - begin);
      end = skip_blanks(close + 1);
      if (end < row_.size && row_[end] != delimiter_) return false;
    } else {
      end = find_byte(row_, delimiter_, begin);
      std::uint64_t size = end - begin;
      while (size > 0 && is_blank(row_[begin + size - 1])) --size;
      found.text = row_.sub(begin, size);
    }
    more_ = end < row_.size;
    at_ = end + 1;
    return true;
  }

 private:
  [[nodiscard]] DUOMAP_HD bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter_; }

  [[nodiscard]] DUOMAP_HD std::uint64_t skip_blanks(std::uint64_t at) const {
    while (at < row_.size && is_blank(row_[at])) ++at;
    return at;
  }

  byte_view row_;
  std::uint64_t at_ = 0;
  char delimiter_;
  bool more_ = true;
};

/// The purpose of a column.
enum class column_role : std::uint8_t { left_out, attribute, label };

/// The columns of a table. This is a view of `roles`, which its maker keeps.
struct category_columns {
  broadcast<column_role> roles;  ///< for each column
  std::uint32_t label = 0;       ///< the label's column; roles.size without one
  char delimiter = ',';
  bool has_header = false;  ///< the first line of each source names the columns
  bool skip_missing = false;

  /// The most bytes that a class and a category may have together, because a map has no memory but its stack.
  static constexpr std::uint64_t most_bytes = 1000;

  [[nodiscard]] DUOMAP_HD bool has_label() const { return label < roles.size; }

  /// Whether a line is a row of data, not the header and not blank. `row`: the line without its carriage
  /// return. `offset`: its place in its source.
  [[nodiscard]] DUOMAP_HD bool is_row(byte_view row, std::uint64_t offset) const {
    if (has_header && offset == 0) return false;
    std::uint64_t blanks = 0;
    while (blanks < row.size && (row[blanks] == ' ' || (row[blanks] == '\t' && delimiter != '\t'))) ++blanks;
    return blanks < row.size;
  }

  /// Whether the row has a field for each column, with quotes that fit and no field too long. Sets
  /// `label_field` to the label's field, if there is one.
  [[nodiscard]] DUOMAP_HD bool fits(byte_view row, category_field& label_field) const {
    category_fields fields(row, delimiter);
    std::uint64_t column = 0;
    std::uint64_t longest = 0;
    for (; fields.more(); ++column) {
      category_field found;
      if (column == roles.size || !fields.next(found)) return false;
      if (found.text.size > longest && roles[column] != column_role::left_out) longest = found.text.size;
      if (column == label) label_field = found;
    }
    return column == roles.size && longest + label_field.text.size <= most_bytes;
  }
};

/// A line without the carriage return at its end.
[[nodiscard]] DUOMAP_HD inline byte_view without_return(byte_view line) {
  return line.size > 0 && line[line.size - 1] == '\r' ? line.sub(0, line.size - 1) : line;
}

}  // namespace duomap
