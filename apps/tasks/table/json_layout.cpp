// Finds the columns of JSON Lines, and their types, in the first rows.
#include "apps/tasks/table/json_layout.hpp"

#include "apps/tasks/table/json_path_tree.hpp"
#include "apps/tasks/table/json_row.hpp"
#include "apps/tasks/table/narrowest_type.hpp"
#include "apps/tasks/table/parse_key_function.hpp"
#include "apps/tasks/table/plan_columns.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace duomap::apps {
namespace {

std::string_view without_blanks(byte_view line) {
  constexpr std::string_view blanks = " \t\r";
  const std::string_view text = line.text();
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// The columns that a run reads, each once.
std::vector<std::string> columns_of(const grouping& asked, const parsed_condition& where) {
  std::vector<std::string> columns;
  std::vector<std::string> by;
  for (std::size_t k = 0; k < asked.by.size(); ++k)
    by.push_back(asked.is_values_key(k) ? asked.by[k] : column_of_key(asked.by[k]));
  for (const auto& some : {by, asked.value_columns(), asked.picked_columns(), where.columns}) {
    for (const std::string& one : some) {
      if (std::ranges::find(columns, one) == columns.end()) columns.push_back(one);
    }
  }
  return columns;
}

/// The names of the members of a row's object, with commas between them.
std::string names_in(byte_view row) {
  std::string names;
  unsigned depth = 0;
  for (std::uint64_t at = 0; at < row.size; ++at) {
    depth += row[at] == '{' || row[at] == '[';
    depth -= row[at] == '}' || row[at] == ']';
    if (row[at] != '"') continue;
    const std::uint64_t begin = ++at;
    while (row[at] != '"') at += row[at] == '\\' ? 2u : 1u;
    const std::string_view behind = row.text().substr(at + 1);
    const std::size_t next = behind.find_first_not_of(" \t\r");
    if (depth == 1 && behind[next] == ':')
      names += (names.empty() ? "" : ", ") + std::string(row.sub(begin, at - begin).text());
  }
  return names;
}

/// The rows of a sample: how many there are, their columns and the types of these.
struct sampled_rows {
  std::uint64_t count = 0;
  std::uint64_t present = 0;  ///< bit c: a row has column c, perhaps as null
  std::vector<narrowest_type> types;
  byte_view first;
};

sampled_rows read_sample(const table_sample& sample, const json_paths& paths) {
  sampled_rows rows;
  rows.types.resize(paths.columns);
  for (const byte_view line : sample.lines) {
    json_values values;
    if (json_scan(line, paths, values).run() != json_status::row) continue;  // the run reports the row
    if (rows.count++ == 0) rows.first = line;
    rows.present |= values.found | values.nulls;
    for (unsigned c = 0; c < paths.columns; ++c) {
      if (!values.is_string(c)) rows.types[c].add(values.text(c));
    }
  }
  return rows;
}

}  // namespace

bool is_json_lines(const table_sample& sample, const grouping& asked) {
  if (asked.format) return *asked.format == row_format::json_lines;
  if (asked.asks_for_delimited_text()) return false;
  for (const byte_view line : sample.lines) {
    std::string_view text = without_blanks(line);
    if (text.empty()) continue;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return text.starts_with('{') && (text.ends_with('}') || sample.cut);
  }
  return false;
}

table_layout find_json_layout(const table_sample& sample, const std::string& name, const grouping& asked,
                              bool only) {
  const parsed_condition where = condition_of(asked);
  require_room(asked, asked.value_columns());
  const std::vector<std::string> columns = columns_of(asked, where);
  table_layout found;
  found.plan.format = row_format::json_lines;
  found.plan.joins_lines = true;
  found.plan.members = json_paths_of(columns);
  // A line is one field, whose quotes do not matter.
  found.plan.delimiter = '\n';
  found.plan.quote = '\0';
  const sampled_rows rows = read_sample(sample, found.plan.members);
  const auto field_of = [&](const std::string& column) {
    return static_cast<std::uint32_t>(std::ranges::find(columns, column) - columns.begin());
  };
  plan_columns(
      found, asked, where,
      [&](const std::string& key) {
        const std::optional<key_call> call = parse_key_call(key);
        return call ? key_place{field_of(call->column), call->function} : key_place{field_of(key)};
      },
      field_of, [&](std::uint32_t column) { return rows.types[column].type(); });
  found.note = "JSON Lines" + (found.note.empty() ? "" : "; " + found.note);
  for (unsigned c = 0; c < columns.size() && rows.count > 0; ++c) {
    if ((rows.present >> c & 1) != 0) continue;
    if (sample.whole && only)
      throw usage_error(quoted(name) + " has no row with the member " + quoted(columns[c]) +
                        "; its first row has: " + names_in(rows.first));
    found.warnings.push_back("the first " + std::to_string(rows.count) + " rows of " + quoted(name) +
                             " have no member " + quoted(columns[c]));
  }
  return found;
}

}  // namespace duomap::apps
