// A row of a table whose values are categories: what its columns are for, and its fields as map sees them.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/task.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap {

/// A field of a row without the blanks around it and the quotes.
struct category_field {
  byte_view text;
  bool has_doubled_quotes = false;  ///< each quote in `text` stands there twice, as in a quoted field

  /// Nothing, or a question mark, as in the tables of the UCI repository.
  [[nodiscard]] DUOMAP_HD bool is_missing() const {
    return text.size == 0 || (text.size == 1 && text[0] == '?');
  }

  /// Writes the category, at most text.size bytes; returns how many.
  DUOMAP_HD std::uint64_t write(char* to) const {
    std::uint64_t size = 0;
    for (std::uint64_t i = 0; i < text.size; ++i) {
      to[size++] = text[i];
      if (has_doubled_quotes && text[i] == '"') ++i;
    }
    return size;
  }
};

/// Goes through the fields of a row: RFC 4180 within a line, blanks around fields are no part of them.
class category_fields {
 public:
  DUOMAP_HD category_fields(byte_view row, char delimiter) : row_(row), delimiter_(delimiter) {}

  /// Whether there is another field.
  [[nodiscard]] DUOMAP_HD bool more() const { return more_; }

  /// The next field. False when its quotes do not fit: none at the end, or something behind it.
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

/// What a column is for.
enum class column_role : std::uint8_t { left_out, attribute, label };

/// The columns of a table. A view: its maker keeps `roles`.
struct category_columns {
  broadcast<column_role> roles;  ///< of each column
  std::uint32_t label = 0;       ///< the column that is the label; roles.size when there is none
  char delimiter = ',';
  bool has_header = false;  ///< the first line of each source names the columns
  bool skip_missing = false;

  /// Bytes of a class and a category together that are counted: a map has no memory but its stack.
  static constexpr std::uint64_t most_bytes = 1000;

  [[nodiscard]] DUOMAP_HD bool has_label() const { return label < roles.size; }

  /// Whether a line is one of the data, and not the header or blank. `row` is the line without its carriage
  /// return, `offset` its place in its source.
  [[nodiscard]] DUOMAP_HD bool is_row(byte_view row, std::uint64_t offset) const {
    if (has_header && offset == 0) return false;
    std::uint64_t blanks = 0;
    while (blanks < row.size && (row[blanks] == ' ' || (row[blanks] == '\t' && delimiter != '\t'))) ++blanks;
    return blanks < row.size;
  }

  /// Whether the row has a field for each column, its quotes fit and none is too long; `label_field` is the
  /// label's, if there is one.
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

/// A line without a carriage return at its end.
[[nodiscard]] DUOMAP_HD inline byte_view without_return(byte_view line) {
  return line.size > 0 && line[line.size - 1] == '\r' ? line.sub(0, line.size - 1) : line;
}

}  // namespace duomap
