// Finds the delimiter, the header and the use of each column from the first lines and the options.
#include "numeric/common/delimited_layout.hpp"

#include "core/error.hpp"
#include "core/text/compare.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/number.hpp"
#include "numeric/common/decimal.hpp"
#include "numeric/common/delimited_line.hpp"
#include "numeric/common/odd_number.hpp"
#include "numeric/common/shown_text.hpp"

#include <algorithm>
#include <string_view>

namespace duomap {
namespace {

/// Goes through the lines of a text, and skips blank ones.
class line_walk {
 public:
  line_walk(byte_view text, char delimiter, std::uint64_t from, std::uint64_t number)
    : text_(text), delimiter_(delimiter), next_(from), next_number_(number) {}

  /// Reads the next line; false at the end of the text.
  bool next(byte_view& line) {
    while (next_ < text_.size) {
      begin_ = next_;
      number_ = next_number_++;
      const std::uint64_t end = find_byte(text_, '\n', begin_);
      next_ = end + 1;
      line = text_.sub(begin_, end - begin_);
      if (!is_blank_line(line, delimiter_)) return true;
    }
    return false;
  }

  /// The place and the number of the line that next() returned.
  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  byte_view text_;
  char delimiter_;
  std::uint64_t next_;
  std::uint64_t next_number_;
  std::uint64_t begin_ = 0;
  std::uint64_t number_ = 0;
};

std::vector<std::string> fields_of(byte_view line, char delimiter) {
  std::vector<std::string> fields;
  delimited_line rest(line, delimiter);
  for (delimited_field field; rest.next(field);) fields.push_back(field.unquoted());
  return fields;
}

/// Whether a quote is open where its field should end, so that the fields of the line are unknown.
bool has_open_quote(byte_view line, char delimiter) {
  delimited_line rest(line, delimiter);
  for (delimited_field field; rest.next(field);) {
    if (field.malformed) return true;
  }
  return false;
}

void require_delimiter(const std::optional<char>& delimiter) {
  constexpr std::string_view impossible = "\"\n\r.+-0123456789eE";
  if (delimiter && impossible.find(*delimiter) != std::string_view::npos) {
    throw usage_error("a delimiter cannot be " + shown(byte_view(&*delimiter, 1)) +
                      ", which is part of numbers, quotes a field or ends a line; give another one");
  }
}

/// Refuses a text in one line that contains carriage returns, which old Macs wrote at the ends of lines.
void require_line_feeds(byte_view line, const std::string& name) {
  bool quoted = false;
  for (std::uint64_t i = 0; i < line.size; ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '\r' && !quoted && !is_blank_line(line.sub(i, line.size - i), '\0')) {
      throw input_error(
          name + ": its lines end with carriage returns alone; write line feeds first, with tr '\\r' '\\n'");
    }
  }
}

bool is_number(const std::string& field) {
  return whole_decimal<double>(byte_view(field)).status != decimal_status::none;
}

bool has_number(const std::vector<std::string>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [](const std::string& field) { return is_number(field) && !is_missing(field); });
}

/// Whether the fields of the first line below a header have a number. A field with numbers between other
/// delimiters counts, too.
bool has_number_of_row(const std::vector<std::string>& fields) {
  return has_number(fields) || std::any_of(fields.begin(), fields.end(), [](const std::string& field) {
           return odd_number_in(field).other_delimiter;
         });
}

/// Whether the rows below a header have numbers. The first row decides, unless a quote in it stays open. Then
/// the next line decides that has a number, or the header's number of fields. Later, the row with the open
/// quote is reported or dropped like any bad row.
bool has_number_below(byte_view line, line_walk lines, char delimiter, std::size_t header_fields) {
  std::vector<std::string> fields = fields_of(line, delimiter);
  if (!has_open_quote(line, delimiter)) return has_number_of_row(fields);
  while (!has_number(fields)) {
    if (!lines.next(line)) return false;
    fields = fields_of(line, delimiter);
    if (fields.size() == header_fields && !has_open_quote(line, delimiter)) return has_number(fields);
  }
  return true;
}

/// Returns the index of the column that the option's value `wanted` names.
std::size_t column_named(const std::string& wanted, const delimited_layout& layout, const std::string& name) {
  const std::size_t count = layout.uses.size();
  const auto of_name = std::find(layout.names.begin(), layout.names.end(), wanted);
  if (of_name != layout.names.end()) {
    if (std::find(of_name + 1, layout.names.end(), wanted) != layout.names.end()) {
      throw usage_error(name + " has several columns called '" + wanted + "'; give the column's number");
    }
    return static_cast<std::size_t>(of_name - layout.names.begin());
  }
  if (wanted == "last") return count - 1;
  const parsed<std::uint64_t> number = parse_integer<std::uint64_t>(wanted);
  if (number.all_of(wanted.size()) && number.value >= 1 && number.value <= count) return number.value - 1;
  throw usage_error(name + " has no column '" + wanted + "'; it has " + std::to_string(count) +
                    (layout.names.empty() ? " without names" : " with names in its first line") +
                    ": give a name, a number from 1 on, or last");
}

void choose_columns(delimited_layout& layout, const std::string& name, const table_options& options) {
  std::fill(layout.uses.begin(), layout.uses.end(),
            options.columns.empty() ? column_use::number : column_use::none);
  for (const std::string& column : options.columns) {
    layout.uses[column_named(column, layout, name)] = column_use::number;
  }
  for (const std::string& column : options.leave_out) {
    layout.uses[column_named(column, layout, name)] = column_use::none;
  }
  if (!options.label.empty()) {
    layout.uses[column_named(options.label, layout, name)] = column_use::label;
  }
}

/// Takes the symbolic columns from another table.
void adopt_symbols(delimited_layout& layout, const std::string& name,
                   const std::vector<std::vector<std::string>>& known) {
  if (known.size() != layout.values()) {
    throw usage_error(name + " has " + std::to_string(layout.values()) +
                      " columns of values, and the table whose texts are known has " +
                      std::to_string(known.size()) + "; choose the same columns of both");
  }
  std::size_t value = 0;
  for (column_use& use : layout.uses) {
    if (use == column_use::number && !known[value++].empty()) use = column_use::symbol;
  }
}

void find_symbols(delimited_layout& layout, line_walk lines, symbol_columns symbols) {
  if (symbols == symbol_columns::error) return;
  const column_use found = symbols == symbol_columns::encode ? column_use::symbol : column_use::none;
  byte_view line;
  for (std::uint64_t row = 0; row < layout_rows && lines.next(line); ++row) {
    const std::vector<std::string> fields = fields_of(line, layout.delimiter);
    if (fields.size() != layout.uses.size()) continue;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (layout.uses[i] == column_use::number && !is_missing(fields[i]) && !is_number(fields[i])) {
        layout.uses[i] = found;
      }
    }
  }
}

}  // namespace

std::uint64_t delimited_layout::values() const {
  return static_cast<std::uint64_t>(std::count_if(uses.begin(), uses.end(), [](column_use use) {
    return use == column_use::number || use == column_use::symbol;
  }));
}

std::string delimited_layout::column(std::size_t index) const {
  std::string text = "column " + std::to_string(index + 1);
  if (!names.empty()) text += " (" + shown(names[index]) + ")";
  return text;
}

delimited_layout find_layout(byte_view text, const std::string& name, const table_options& options) {
  require_delimiter(options.delimiter);
  delimited_layout layout;
  byte_view first;
  line_walk lines(text, options.delimiter.value_or('\0'), 0, 1);
  if (!lines.next(first)) throw input_error(name + " has no row: it is empty; give a file with numbers");
  layout.delimiter = options.delimiter ? *options.delimiter : find_delimiter(first).value_or(' ');

  lines = line_walk(text, layout.delimiter, 0, 1);
  static_cast<void>(lines.next(first));
  layout.rows_begin = lines.begin();
  layout.first_line = lines.number();
  std::vector<std::string> fields = fields_of(first, layout.delimiter);
  byte_view second;
  const bool has_second = lines.next(second);
  if (!has_second) require_line_feeds(first, name);
  const bool header = options.header ? *options.header
                                     : has_second && !has_number_of_row(fields) &&
                                           has_number_below(second, lines, layout.delimiter, fields.size());
  if (header) {
    if (!has_second) throw input_error(name + " has no row: there is nothing behind its header");
    layout.rows_begin = lines.begin();
    layout.first_line = lines.number();
    const std::size_t there = fields_of(second, layout.delimiter).size();
    if (there != fields.size() && options.rows == bad_rows::error &&
        !has_open_quote(second, layout.delimiter)) {
      throw input_error(name + ", line " + std::to_string(layout.first_line) + ": " + std::to_string(there) +
                        " fields below a header of " + std::to_string(fields.size()) +
                        " names; give each column one name, or remove the header");
    }
    layout.names = std::move(fields);
    layout.uses.resize(layout.names.size());
  } else {
    layout.uses.resize(fields.size());
  }
  choose_columns(layout, name, options);
  if (!options.known_symbols.empty()) {
    adopt_symbols(layout, name, options.known_symbols);
    return layout;
  }
  find_symbols(layout, line_walk(text, layout.delimiter, layout.rows_begin, layout.first_line),
               options.symbols);
  return layout;
}

bool is_missing(byte_view field) {
  if (field.empty()) return true;
  if (field.size > 4) return false;
  for (const std::string_view word : {"?", "na", "n/a", "null", "nan"}) {
    if (equal_ignoring_case(field, word)) return true;
  }
  return false;
}

bool is_blank_line(byte_view line, char delimiter) {
  return std::all_of(line.begin(), line.end(),
                     [delimiter](char c) { return is_blank(c, delimiter) || c == '\r'; });
}

}  // namespace duomap
