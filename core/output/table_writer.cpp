// Writes cells as TSV, CSV, JSON lines, or text for a terminal.
#include "core/output/table_writer.hpp"

#include "core/error.hpp"
#include "core/output/json_text.hpp"
#include "core/path_problem.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/utf8.hpp"

#include <charconv>
#include <cmath>
#include <string_view>
#include <type_traits>

namespace duomap {

namespace {

// The longest number has 24 characters: a double such as -2.2250738585072014e-308.
constexpr std::uint64_t longest_number = 32;

template <class Number>
void write_number(byte_sink& sink, Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(number)) {
      sink.write(std::string_view("nan"));  // never "-nan": the sign of a NaN means nothing
      return;
    }
  }
  char* const begin = sink.reserve(longest_number);
  const std::to_chars_result result = std::to_chars(begin, begin + longest_number, number);
  sink.advance(static_cast<std::uint64_t>(result.ptr - begin));
}

// Writes a text by `write_text`, a number in decimal, and nothing for a missing value.
template <class WriteText>
void write_cell(byte_sink& sink, const cell& value, WriteText write_text) {
  std::visit(
      [&](auto content) {
        if constexpr (std::is_same_v<decltype(content), byte_view>) {
          write_text(content);
        } else if constexpr (!std::is_same_v<decltype(content), missing_cell>) {
          write_number(sink, content);
        }
      },
      value);
}

// Whether a text is long and has none of `Bytes`. In a short text these searches do not pay.
template <char... Bytes>
bool is_long_without(byte_view text) {
  constexpr std::uint64_t worth_searching = 256;
  return text.size >= worth_searching && ((find_byte(text, Bytes) == text.size) && ...);
}

char tsv_escape(char byte) {
  switch (byte) {
    case '\\':
      return '\\';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    default:
      return '\0';
  }
}

void write_tsv_text(byte_sink& sink, byte_view text) {
  if (is_long_without<'\\', '\t', '\n', '\r'>(text)) return sink.write(text);
  std::uint64_t plain = 0;  // the first byte that is not written yet
  for (std::uint64_t i = 0; i < text.size; ++i) {
    if (const char escape = tsv_escape(text[i]); escape != '\0') {
      sink.write(text.sub(plain, i - plain));
      sink.write('\\');
      sink.write(escape);
      plain = i + 1;
    }
  }
  sink.write(text.sub(plain, text.size - plain));
}

void write_terminal_text(byte_sink& sink, byte_view text) {
  std::uint64_t plain = 0;
  for (std::uint64_t i = 0; i < text.size;) {
    const char escape = tsv_escape(text[i]);
    const std::uint64_t length = escape != '\0' ? 0 : printable_length(text, i);
    if (length > 0) {
      i += length;
      continue;
    }
    sink.write(text.sub(plain, i - plain));
    sink.write(
        byte_view(escape != '\0' ? std::string{'\\', escape} : escaped_controls(text.sub(i, 1).text())));
    plain = ++i;
  }
  sink.write(text.sub(plain, text.size - plain));
}

// An empty text needs quotes, too: a row of one empty cell would be an empty line, which readers skip.
bool needs_csv_quotes(byte_view text) {
  if (is_long_without<',', '"', '\r', '\n'>(text)) return false;
  return text.empty() || text.text().find_first_of(",\"\r\n") != std::string_view::npos;
}

void write_csv_text(byte_sink& sink, byte_view text) {
  if (!needs_csv_quotes(text)) {
    sink.write(text);
    return;
  }
  sink.write('"');
  std::uint64_t plain = 0;
  for (std::uint64_t i = 0; i < text.size; ++i) {
    if (text[i] == '"') {
      sink.write(text.sub(plain, i + 1 - plain));
      plain = i;  // so the next write repeats this quote
    }
  }
  sink.write(text.sub(plain, text.size - plain));
  sink.write('"');
}

}  // namespace

table_writer::table_writer(byte_sink& sink, table_format format, const std::vector<std::string>& columns)
  : sink_(sink), format_(format) {
  expects(!columns.empty(), "a table has at least one column");
  for (const std::string& name : columns) {
    expects(is_utf8(std::string_view(name)), "column names are UTF-8");
    const std::string escaped = json_escaped(name);
    const char* const separator = columns_.empty() ? "{\"" : ",\"";
    columns_.push_back({separator + escaped + "\":", separator + escaped + "_base64\":\""});
  }
  if (format_ == table_format::csv) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i != 0) {
        sink_.write(',');
      }
      write_csv_text(sink_, std::string_view(columns[i]));
    }
    sink_.write('\n');
  }
}

void table_writer::row(std::span<const cell> cells) {
  expects(cells.size() == columns_.size(), "a row has as many cells as the table has columns");
  switch (format_) {
    case table_format::tsv:
      separated_row(cells, '\t', write_tsv_text);
      return;
    case table_format::csv:
      separated_row(cells, ',', write_csv_text);
      return;
    case table_format::jsonl:
      json_row(cells);
      return;
    case table_format::terminal:
      separated_row(cells, '\t', write_terminal_text);
      return;
  }
}

void table_writer::separated_row(std::span<const cell> cells, char separator,
                                 void (*write_text)(byte_sink&, byte_view)) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i != 0) {
      sink_.write(separator);
    }
    write_cell(sink_, cells[i], [&](byte_view text) { write_text(sink_, text); });
  }
  sink_.write('\n');
}

void table_writer::json_row(std::span<const cell> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const byte_view* const text = std::get_if<byte_view>(&cells[i]);
    if (text != nullptr && !is_utf8(*text)) {
      sink_.write(std::string_view(columns_[i].base64_prefix));
      write_base64(sink_, *text);
      sink_.write('"');
      continue;
    }
    sink_.write(std::string_view(columns_[i].prefix));
    const double* const number = std::get_if<double>(&cells[i]);
    const bool needs_quotes = number != nullptr && !std::isfinite(*number);
    if (needs_quotes) {
      sink_.write('"');
    }
    if (std::holds_alternative<missing_cell>(cells[i])) sink_.write(std::string_view("null"));
    write_cell(sink_, cells[i], [&](byte_view plain) { write_json_string(sink_, plain); });
    if (needs_quotes) {
      sink_.write('"');
    }
  }
  sink_.write(std::string_view("}\n"));
}

}  // namespace duomap
