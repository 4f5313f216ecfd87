// Aligns the columns of TSV for a terminal.
#include "apps/cli/aligned_rows.hpp"

#include "apps/cli/console.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <vector>

namespace duomap::apps {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

bool is_number(std::string_view text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem != std::errc::invalid_argument && end == text.data() + text.size();
}

// The number of characters in a UTF-8 text: it counts their first bytes.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

struct column_shape {
  std::size_t width = 0;
  bool numbers = true;
};

}  // namespace

std::string aligned_rows(std::string_view tsv) {
  std::vector<std::vector<std::string>> rows;
  std::vector<column_shape> columns;
  std::vector<std::string_view> lines = split(tsv, '\n');
  lines.pop_back();  // the empty text behind the last line's end
  for (const std::string_view line : lines) {
    rows.emplace_back();
    for (const std::string_view cell : split(line, '\t')) {
      rows.back().push_back(printable(cell));
      if (columns.size() < rows.back().size()) columns.emplace_back();
      column_shape& column = columns[rows.back().size() - 1];
      column.width = std::max(column.width, width(rows.back().back()));
      column.numbers = column.numbers && is_number(cell);
    }
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string filler(columns[i].width - width(row[i]), ' ');
      if (columns[i].numbers) text += filler;
      text += row[i];
      if (i + 1 == row.size()) continue;
      if (!columns[i].numbers) text += filler;
      text += "  ";
    }
    text += '\n';
  }
  return text;
}

}  // namespace duomap::apps
