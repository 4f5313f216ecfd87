// Finds the columns of logs by their names.
#include "apps/tasks/table/log_layout.hpp"

#include "apps/tasks/table/narrowest_type.hpp"
#include "apps/tasks/table/parse_key_function.hpp"
#include "apps/tasks/table/plan_columns.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace duomap::apps {
namespace {

std::uint32_t log_field_of(const std::string& column) {
  if (const auto found = log_column_called(column)) return *found;
  std::string all;
  for (const std::string_view one : log_column_names) all += (all.empty() ? "" : ", ") + std::string(one);
  throw usage_error("a log has no column " + quoted(column) + "; it has " + all);
}

}  // namespace

table_layout find_log_layout(const table_sample& sample, const grouping& asked) {
  table_layout found;
  found.plan.format = row_format::web_log;
  found.plan.log_host = asked.log_host;
  // A line is one field, whose quotes do not matter.
  found.plan.delimiter = '\n';
  found.plan.quote = '\0';
  std::array<narrowest_type, log_columns> types;
  for (const byte_view line : sample.lines) {
    log_fields fields;
    char iso_time[iso_time_bytes];
    if (read_log_row(line, asked.log_host, iso_time, fields) != log_row_kind::entry) continue;
    for (unsigned c = 0; c < log_columns; ++c) types[c].add(fields.text[c]);
  }
  plan_columns(
      found, asked, condition_of(asked),
      [](const std::string& key) {
        const std::optional<key_call> call = parse_key_call(key);
        return call ? key_place{log_field_of(call->column), call->function} : key_place{log_field_of(key)};
      },
      log_field_of, [&](std::uint32_t column) { return types[column].type(); });
  found.note = "web log" + (found.note.empty() ? "" : "; " + found.note);
  return found;
}

std::string log_fault_of(std::string_view line, log_host_place host) {
  log_fields fields;
  char iso_time[iso_time_bytes];
  static_cast<void>(read_log_row(byte_view(line), host, iso_time, fields));
  return std::string("it is no line of such a log: ") + fields.fault;
}

}  // namespace duomap::apps
