// Opens tables, and explains the first row that a grouping could not count.
#include "apps/tasks/table/run_grouping.hpp"

#include "apps/report/quantity.hpp"
#include "apps/tasks/table/changed_lines.hpp"
#include "apps/tasks/table/json_fault.hpp"
#include "apps/tasks/table/json_layout.hpp"
#include "apps/tasks/table/log_layout.hpp"
#include "apps/tasks/table/parse_key_function.hpp"
#include "apps/tasks/table/table_sample.hpp"
#include "apps/tasks/table/table_start.hpp"
#include "core/input/beginning.hpp"
#include "core/input/standard_input.hpp"
#include "core/path_problem.hpp"
#include "core/text/find_byte.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t beginning_bytes = std::uint64_t{64} << 10;

/// A row, and its number in its source, from 1 on.
struct numbered_row {
  std::uint64_t line;
  std::string text;
};

bool can_be_read_again(const source& table) {
  return table.stored_size() && table.name() != standard_input_name;
}

// The number of line feeds, with those inside quotes if lines are joined.
std::uint64_t lines_in(byte_view text, bool joined) {
  const auto lines = std::count(text.begin(), text.end(), '\n') +
                     (joined ? std::count(text.begin(), text.end(), joined_line_feed) : 0);
  return static_cast<std::uint64_t>(lines);
}

numbered_row row_in(byte_view before, std::string_view rest, std::uint64_t line) {
  line += lines_in(before, false);
  return {line, std::string(rest.substr(0, rest.find('\n')))};
}

/// The row that begins at `offset`; nothing if the source cannot be read again. `joined`: lines are joined.
std::optional<numbered_row> row_at(const source& table, std::uint64_t offset, bool joined) {
  constexpr std::uint64_t longest_row = std::uint64_t{64} << 10;
  if (table.addressable()) {
    const byte_view all = table.bytes();
    return row_in(all.sub(0, offset), all.sub(offset, all.size - offset).text(), 1);
  }
  if (!table.stored_size() || table.name() == standard_input_name) return std::nullopt;
  const std::unique_ptr<byte_stream> stream = table.open(nullptr);
  std::vector<char> buffer(std::size_t{1} << 16);
  std::uint64_t line = 1;
  for (std::uint64_t at = 0; at < offset;) {
    const std::uint64_t count =
        stream->read(buffer.data(), std::min<std::uint64_t>(buffer.size(), offset - at));
    if (count == 0) return std::nullopt;
    line += lines_in({buffer.data(), count}, joined);
    at += count;
  }
  std::string rest;
  while (rest.size() < longest_row && rest.find('\n') == std::string::npos) {
    const std::uint64_t count = stream->read(buffer.data(), buffer.size());
    if (count == 0) break;
    rest.append(buffer.data(), count);
  }
  return row_in({}, rest, line);
}

/// `asked`: of the task.
std::string column_text(const column_plan& plan, const grouping& asked, unsigned column) {
  const read_column at = plan.columns[column];
  const std::vector<std::string> names = at.use == column_use::key     ? asked.by
                                         : at.use == column_use::value ? asked.value_columns()
                                         : at.use == column_use::picked
                                             ? asked.picked_columns()
                                             : parse_condition(asked.where).columns;
  return "column " + quoted(names[at.index]);
}

std::string fault_of(std::string_view row, const column_plan& plan, const grouping& asked) {
  const group_rows<most_value_columns> task{plan};
  const field_list fields = task.records().fields_of({byte_view(row), 1, 0});
  group_rows<most_value_columns>::row_values found;
  task.read(fields, found);
  if (found.fault == row_fault::none) {
    char made[group_rows<1>::most_made_bytes];
    key_sink key{made, sizeof made};
    found.fault = task.make_key(found, key);
  }
  const std::string column = column_text(plan, asked, found.column);
  const std::uint32_t number = plan.columns[found.column].field;
  byte_view field;
  bool has_field = true;
  json_values members;
  log_fields log;
  if (plan.format == row_format::json_lines) {
    static_cast<void>(json_scan(byte_view(row), plan.members, members).run());
    field = members.text(number);
  } else if (plan.format == row_format::web_log) {
    if (found.fault == row_fault::no_log_line) return log_fault_of(row, plan.log_host);
    static_cast<void>(read_log_row(byte_view(row), plan.log_host, found.iso_time, log));
    field = log.text[number];
  } else {
    has_field = fields.get(number, field);
  }
  std::string begun(field.text().substr(0, 40));
  if (plan.joins_lines) std::ranges::replace(begun, joined_line_feed, '\n');
  const std::string shown = duomap::quoted(begun);
  switch (found.fault) {
    case row_fault::open_quote:
      if (plan.joins_lines)
        return "it has an odd number of quotes, though fields may go over the end of a line; --quote none "
               "takes quotes for ordinary bytes";
      return std::string("it has an odd number of quotes; ") +
             (asked.quoted_lines == false ? "--quoted-lines no lets no field go over the end of a line"
                                          : "--quoted-lines yes lets fields go over the end of a line") +
             ", and --quote none takes quotes for ordinary bytes";
    case row_fault::missing_field:
      return "it has no " + column;
    case row_fault::no_number:
      return column + " is " + (has_field ? shown : "") + ", which is no number";
    case row_fault::other_number:
      return column + " is " + shown + ", and the column's type is " +
             text_of(plan.types[plan.columns[found.column].index]) + "; declare another one with --types";
    case row_fault::no_json:
      return json_fault_of(byte_view(row), plan.members) +
             (asked.format ? ""
                           : "; the first line looks like JSON Lines, and --input-format says otherwise");
    case row_fault::line_feed:
      return plan.joins_lines
                 ? column + " has the byte 0xFF, which JSON cannot have"
                 : column + " has a line feed, which keys of parts have only with --input-format jsonl";
    case row_fault::unreadable: {
      const unsigned k = plan.columns[found.column].index;
      return asked.by[k] + " cannot read " + shown + ": " + texts_of(plan.functions[k]);
    }
    case row_fault::none:
    case row_fault::no_log_line:
    case row_fault::header:
    case row_fault::long_key:
      break;
  }
  return "its key is put together from several fields, made by a function, or has doubled quotes or escapes, "
         "and has more than " +
         std::to_string(group_rows<1>::most_made_bytes) + " bytes, or " +
         std::to_string(group_rows<1>::max_extra_key_bytes) + " more than its row";
}

/// Whether a table has a line that is neither empty nor a comment.
bool has_row(const std::string& beginning, const grouping& asked) {
  return start_of(byte_view(beginning), asked).at < beginning.size();
}

/// Refuses a table whose first lines differ from those of the first table, as far as no row can show it: the
/// header behind comments, and the line "sep=".
void require_same_start(std::unique_ptr<source>& table, const column_plan& plan, const grouping& asked,
                        const run_control* control) {
  const std::string beginning = beginning_of(table, beginning_bytes, control);
  const table_start start = start_of(byte_view(beginning), asked);
  if (start.separator.has_value() != plan.has_separator && !beginning.empty())
    throw input_error(
        quoted(table->name()) + ": its first line is " + (plan.has_separator ? "not " : "") +
        "\"sep=\" and a delimiter, unlike that of the first table; give tables that begin alike");
  if (!plan.has_header || start.at == beginning.size()) return;
  const byte_view rest = byte_view(beginning).sub(start.at, beginning.size() - start.at);
  const table_sample sample = sample_of(rest, beginning.size() < beginning_bytes);
  if (!sample.lines.empty() && line_hash(sample.lines[0]) == plan.header_hash) return;
  const std::uint64_t line = 1 + lines_in(byte_view(beginning).sub(0, start.at), plan.joins_lines);
  throw input_error(quoted(table->name()) + ", line " + std::to_string(line) +
                    ": it is not the header of the first table; give tables with one header");
}

}  // namespace

opened_tables open_tables(input from, const grouping& asked, const run_control* control) {
  std::vector<std::unique_ptr<source>> sources = std::move(from).release();
  opened_tables opened;
  opened.control = control;
  bool found = false;
  for (std::size_t i = 0; i < sources.size() && !found; ++i) {
    std::string beginning = beginning_of(sources[i], beginning_bytes, control);
    if (!has_row(beginning, asked) && i + 1 < sources.size()) continue;
    const bool whole = beginning.size() < beginning_bytes;
    if (asked.format != row_format::web_log && !is_json_lines(sample_of(beginning, whole), asked))
      opened.lines = rules_of(beginning, asked);
    if (opened.lines.change_bytes()) {
      for (std::unique_ptr<source>& one : sources) one = with_changed_lines(std::move(one), opened.lines);
      beginning = beginning_of(sources[i], beginning_bytes, control);
    }
    grouping of_lines = asked;
    if (opened.lines.joins_lines) of_lines.quoted_lines = true;
    opened.layout = find_table_layout(beginning, whole, sources[i]->name(), of_lines, sources.size() == 1);
    if (opened.layout.plan.last_header > 0) {
      for (std::size_t other = i + 1; other < sources.size(); ++other)
        require_same_start(sources[other], opened.layout.plan, asked, control);
    }
    found = true;
  }
  opened.tables = input(std::move(sources));
  return opened;
}

bool reopened_with_quoted_lines(opened_tables& from, const grouping& asked, std::vector<std::string>& notes) {
  const bool asks =
      !asked.quoted_lines && !from.lines.joins_lines && from.layout.plan.format == row_format::delimited;
  if (!asks || !can_be_read_again(from.tables) ||
      !fields_go_over_lines(from.tables, from.lines, from.control))
    return false;
  grouping joining = asked;
  joining.quoted_lines = true;
  std::vector<std::unique_ptr<source>> sources = std::move(from.tables).release();
  from = open_tables(input(std::move(sources)), joining, from.control);
  notes.emplace_back(
      "fields in quotes go over the end of lines, so the tables were read again with --quoted-lines yes, "
      "which saves the first reading");
  return true;
}

void note_or_throw_faults(const group_faults& faults, const std::string& first, bool drop,
                          const std::string& option, std::vector<std::string>& notes) {
  const std::string rows = count_text(faults.rows, "row");
  if (drop && faults.differ)
    throw input_error(first + "; other columns of different values can count rows like this, and " + option +
                      " would give each column other rows; use one run for each such column");
  if (!drop) throw input_error(first + "; " + rows + " like this; " + option + " leaves them out");
  notes.push_back(rows + " could not be counted, and left out; the first: " + first);
}

void require_no_doubles(const column_plan& plan, const grouping& asked) {
  for (unsigned v = 0; v < plan.values; ++v) {
    if (plan.types[v].real)
      throw usage_error("--deterministic adds no doubles here, and column " +
                        duomap::quoted(asked.value_columns()[v]) +
                        " has them; declare it as decimal (--types)");
  }
}

device_choice device_for(row_format format, const grouping& asked, device_choice device,
                         std::vector<std::string>& notes) {
  const auto pick =
      std::ranges::find_if(asked.aggregates, [](const aggregate& one) { return is_pick(one.kind); });
  const std::string work = format == row_format::web_log    ? "logs are read"
                           : pick != asked.aggregates.end() ? pick->heading() + " is found"
                                                            : "";
  if (work.empty() || device == device_choice::cpu) return device;
  if (device != device_choice::automatic)
    throw device_unavailable("no GPU can be used: " + work + " on the CPU only; use the device cpu or auto");
  notes.push_back("no GPU used: " + work + " on the CPU");
  return device_choice::cpu;
}

void require_runs(const grouping& asked, const input& tables, std::vector<std::string>& notes) {
  std::string all;
  const std::vector<values_column> columns = asked.values_columns();
  for (const values_column& one : columns) all += (all.empty() ? "" : ", ") + quoted(one.name);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!can_be_read_again(tables[i]))
      throw usage_error("the input is read once for each column of different values, which are " + all +
                        ", and " + quoted(tables[i].name()) +
                        " can be read only once; store it in a file, or give one such column");
  }
  notes.push_back("the input was read " + std::to_string(columns.size()) +
                  " times, once for each column of different values: " + all);
}

bool can_be_read_again(const input& tables) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!can_be_read_again(tables[i])) return false;
  }
  return true;
}

std::string fault_text(const group_faults& faults, const table_layout& layout, const grouping& asked,
                       const input& tables) {
  const column_plan& plan = faults.run == 0 ? layout.plan : layout.further[faults.run - 1];
  const source& table = tables[source_of(faults.first_place)];
  const std::uint64_t offset = offset_of(faults.first_place);
  const std::optional<numbered_row> row =
      row_at(table, offset, plan.joins_lines && plan.format == row_format::delimited);
  if (!row)
    return quoted(table.name()) + ", byte " + std::to_string(offset) + ": the row there cannot be counted";
  std::string text = row->text;
  if (text.ends_with('\r')) text.pop_back();
  const std::string where = quoted(table.name()) + ", line " + std::to_string(row->line) + ": ";
  if (plan.has_header && offset == 0)
    return where + "it is not the header of the first table; give tables with one header";
  return where + fault_of(text, plan, asked.of_task(faults.run));
}

}  // namespace duomap::apps
