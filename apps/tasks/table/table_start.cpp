// Finds the beginning of a table behind comments and the line "sep=".
#include "apps/tasks/table/table_start.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace duomap::apps {
namespace {

// The separator of a line "sep=;"; nothing for another line.
std::optional<char> separator_of(std::string_view line) {
  constexpr std::size_t name_bytes = 4;
  if (line.size() != name_bytes + 1) return std::nullopt;
  const std::string_view name = line.substr(0, name_bytes);
  if (name != "sep=" && name != "SEP=" && name != "Sep=") return std::nullopt;
  return line[name_bytes];
}

// The first line, without its end; a line end inside quotes belongs to the line.
byte_view first_row(byte_view text, char quote) {
  bool quoted = false;
  for (std::uint64_t at = 0; at < text.size; ++at) {
    if (quote != '\0' && text[at] == quote) quoted = !quoted;
    if (!quoted && (text[at] == '\n' || text[at] == '\r')) return text.sub(0, at);
  }
  // If the quotes never close, they do not quote.
  return quoted ? first_row(text, '\0') : text;
}

}  // namespace

table_start start_of(byte_view beginning, const grouping& asked) {
  const std::string_view text = beginning.text();
  table_start start;
  while (start.at < text.size()) {
    const std::size_t end = std::min(text.find_first_of("\r\n", start.at), text.size());
    const std::string_view line = text.substr(start.at, end - start.at);
    if (start.at == 0) start.separator = separator_of(line);
    const bool is_comment = !line.empty() && line[0] == asked.comment;
    if (!line.empty() && !is_comment && (start.at > 0 || !start.separator)) break;
    start.at = std::min(end + 1, text.size());
  }
  return start;
}

char delimiter_of(byte_view line, const table_start& start, const grouping& asked) {
  if (asked.delimiter) return *asked.delimiter;
  if (start.separator) return *start.separator;
  // A decimal comma is no delimiter.
  constexpr std::array candidates{'\t', ';', '|', ','};
  const std::size_t count = candidates.size() - (asked.decimal_comma ? 1 : 0);
  std::array<unsigned, candidates.size()> found{};
  bool quoted = false;
  for (std::uint64_t i = 0; i < line.size; ++i) {
    if (asked.quote != '\0' && line[i] == asked.quote) quoted = !quoted;
    for (std::size_t c = 0; c < count; ++c) found[c] += !quoted && line[i] == candidates[c];
  }
  const auto most = std::ranges::max_element(found);
  // A table of one column gets the line feed as its delimiter, because no line has a line feed.
  return *most == 0 ? '\n' : candidates[static_cast<std::size_t>(most - found.begin())];
}

line_rules rules_of(byte_view beginning, const grouping& asked) {
  const table_start start = start_of(beginning, asked);
  const byte_view rest = beginning.sub(start.at, beginning.size - start.at);
  line_rules rules;
  rules.quote = asked.quote;
  rules.comment = asked.comment;
  rules.delimiter = delimiter_of(first_row(rest, asked.quote), start, asked);
  rules.ends_at_returns = lines_end_at_returns(beginning, asked.quote);
  // Where carriage returns become line feeds, quotes are followed anyway.
  rules.joins_lines = asked.quote != '\0' && asked.quoted_lines.value_or(rules.ends_at_returns);
  return rules;
}

}  // namespace duomap::apps
