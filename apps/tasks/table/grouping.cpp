// Names and checks the parts of a grouping.
#include "apps/tasks/table/grouping.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"
#include "core/text/number.hpp"

#include <algorithm>

namespace duomap::apps {

std::string_view name(aggregate_kind kind) noexcept {
  switch (kind) {
    case aggregate_kind::rows:
    case aggregate_kind::count:
      return "count";
    case aggregate_kind::sum:
      return "sum";
    case aggregate_kind::least:
      return "min";
    case aggregate_kind::greatest:
      return "max";
    case aggregate_kind::mean:
      return "mean";
    case aggregate_kind::first:
      return "first";
    case aggregate_kind::last:
      return "last";
    case aggregate_kind::any:
      return "any";
    case aggregate_kind::argmin:
      return "argmin";
    case aggregate_kind::argmax:
      return "argmax";
    case aggregate_kind::distinct:
      return "distinct";
    case aggregate_kind::mode:
      return "mode";
    case aggregate_kind::median:
      return "median";
    case aggregate_kind::quantile:
      return "quantile";
    case aggregate_kind::variance:
      return "var";
    case aggregate_kind::deviation:
      return "std";
    case aggregate_kind::approx_distinct:
      return "approx_distinct";
    case aggregate_kind::approx_quantile:
      return "approx_quantile";
  }
  return "";
}

std::optional<aggregate_kind> aggregate_named(std::string_view wanted) noexcept {
  using enum aggregate_kind;
  for (const aggregate_kind kind :
       {count, sum, least, greatest, mean, first, last, any, argmin, argmax, distinct, mode, median, quantile,
        variance, deviation, approx_distinct, approx_quantile}) {
    if (name(kind) == wanted) return kind;
  }
  return std::nullopt;
}

std::string aggregate::heading() const {
  if (kind == aggregate_kind::rows) return std::string(name(kind));
  return std::string(name(kind)) + "(" + column +
         (kind == aggregate_kind::quantile || kind == aggregate_kind::approx_quantile ? "," + text_of(at)
                                                                                      : "") +
         (by.empty() ? "" : "," + by) + (rank == 0 ? "" : "," + std::to_string(rank)) + ")";
}

namespace {

void add_once(const std::string& column, std::vector<std::string>& to) {
  if (std::ranges::find(to, column) == to.end()) to.push_back(column);
}

}  // namespace

std::vector<std::string> grouping::value_columns() const {
  std::vector<std::string> columns;
  for (const aggregate& one : aggregates) {
    if (one.kind == aggregate_kind::rows) continue;
    const bool any_text = one.kind == aggregate_kind::distinct || one.kind == aggregate_kind::mode ||
                          one.kind == aggregate_kind::approx_distinct || is_pick(one.kind);
    if (!any_text || declared(one.column) != nullptr) add_once(one.column, columns);
    if (!one.by.empty()) add_once(one.by, columns);
  }
  return columns;
}

std::vector<std::string> grouping::picked_columns() const {
  std::vector<std::string> columns;
  for (const aggregate& one : aggregates) {
    if (is_pick(one.kind)) add_once(one.column, columns);
  }
  return columns;
}

const number_type* grouping::declared(std::string_view column) const {
  for (const auto& [name, type] : types) {
    if (name == column) return &type;
  }
  return nullptr;
}

std::vector<values_column> grouping::values_columns() const {
  std::vector<values_column> columns;
  for (const aggregate& one : aggregates) {
    values_column column{one.column, sketch_of(one.kind)};
    if (needs_values(one.kind) && std::ranges::find(columns, column) == columns.end())
      columns.push_back(std::move(column));
  }
  return columns;
}

bool grouping::needs_ranks() const {
  return std::ranges::find(aggregates, aggregate_kind::approx_distinct, &aggregate::kind) != aggregates.end();
}

grouping grouping::of_task(std::size_t which) const {
  grouping task = *this;
  const std::vector<values_column> columns = values_columns();
  if (columns.empty() || by.empty()) return task;
  const std::string& column = columns[which].name;
  if (by.size() == most_key_columns)
    throw usage_error(
        "the column " + duomap::quoted(column) + " of " +
        std::ranges::find_if(
            aggregates, [&](const aggregate& one) { return needs_values(one.kind) && one.column == column; })
            ->heading() +
        " is one more column of keys, and keys have at most " + std::to_string(most_key_columns) +
        " columns");
  task.by.push_back(column);
  task.last_sketch = columns[which].sketch;
  return task;
}

namespace {

/// The name of a format that is set. Lines of combined logs are also lines of common logs.
std::string_view name_of_format(const grouping& asked) {
  if (asked.format == row_format::json_lines) return "jsonl";
  if (asked.format == row_format::delimited) return "delimited";
  return asked.log_host == log_host_place::front    ? "vhost_combined"
         : asked.log_host == log_host_place::second ? "lighttpd"
                                                    : "combined";
}

}  // namespace

std::string grouping::text() const {
  std::string all;
  for (const std::string& column : by) all += " --by " + column;
  for (const aggregate& one : aggregates) all += " " + one.heading();
  if (!where.empty()) all += " --where " + where;
  for (const auto& [column, type] : types) all += " " + column + "=" + text_of(type);
  if (format) all += " --input-format " + std::string(name_of_format(*this));
  if (delimiter) all += std::string(" --delimiter ") + *delimiter;
  all += std::string(" --quote ") + (quote == '\0' ? "none" : std::string(1, quote));
  if (header) all += *header ? " --header yes" : " --header no";
  if (quoted_lines) all += *quoted_lines ? " --quoted-lines yes" : " --quoted-lines no";
  if (comment != '\n') all += std::string(" --comment ") + comment;
  if (decimal_comma) all += " --decimal-comma";
  for (const std::string& word : missing) all += " --null " + word;
  return all;
}

void set_format(grouping& asked, std::string_view text) {
  asked.log_host = text == "vhost_combined" ? log_host_place::front
                   : text == "lighttpd"     ? log_host_place::second
                                            : log_host_place::none;
  asked.format = {};
  if (text == "auto") return;
  const bool is_log = text == "common" || text == "combined" || asked.log_host != log_host_place::none;
  if (!is_log && text != "delimited" && text != "jsonl")
    throw usage_error(
        "the format of an input is auto, delimited, jsonl, common, combined, vhost_combined or lighttpd, not "
        "'" +
        std::string(text) + "'");
  asked.format = is_log            ? row_format::web_log
                 : text == "jsonl" ? row_format::json_lines
                                   : row_format::delimited;
}

namespace {

/// The first option that is set and that only delimited text has, or null.
const char* option_of_delimited_text(const grouping& asked) {
  return asked.delimiter          ? "--delimiter"
         : asked.quote != '"'     ? "--quote"
         : asked.header           ? "--header"
         : asked.quoted_lines     ? "--quoted-lines"
         : asked.comment != '\n'  ? "--comment"
         : asked.decimal_comma    ? "--decimal-comma"
         : !asked.missing.empty() ? "--null"
                                  : nullptr;
}

}  // namespace

bool grouping::asks_for_delimited_text() const { return option_of_delimited_text(*this) != nullptr; }

void require_format_alone(const grouping& asked) {
  if (asked.format && *asked.format != row_format::delimited) {
    if (const char* const option = option_of_delimited_text(asked))
      throw usage_error(
          std::string(option) + " is for delimited text, and --input-format " +
          std::string(name_of_format(asked)) +
          (asked.format == row_format::json_lines ? " asks for JSON Lines" : " asks for a log") +
          "; leave one out");
  }
  if (asked.delimiter == asked.quote) throw usage_error("--delimiter and --quote are the same character");
  if (asked.comment == asked.quote) throw usage_error("--comment and --quote are the same character");
  if (asked.comment == asked.delimiter) throw usage_error("--comment and --delimiter are the same character");
  if (asked.quoted_lines == true && asked.quote == '\0')
    throw usage_error("--quoted-lines yes needs a quote, and --quote none has none; leave one out");
  static_cast<void>(missing_words_of(asked));
}

missing_words missing_words_of(const grouping& asked) {
  missing_words words;
  std::size_t bytes = 0;
  for (const std::string& word : asked.missing) {
    if (word.empty()) continue;  // an empty field is missing anyway
    if (words.count == missing_words::most || bytes + word.size() > missing_words::most_bytes)
      throw usage_error("--null has at most " + std::to_string(missing_words::most) + " words of together " +
                        std::to_string(missing_words::most_bytes) + " bytes");
    std::ranges::copy(word, words.texts + bytes);
    words.sizes[words.count++] = static_cast<unsigned char>(word.size());
    bytes += word.size();
  }
  return words;
}

number_type parse_number_type(const std::string& text) {
  if (text == "integer") return {};
  if (text == "real") return {.real = true};
  if (text == "decimal") return {.scale = 2};
  if (text.starts_with("decimal(") && text.ends_with(")")) {
    const std::string digits = text.substr(8, text.size() - 9);
    const parsed<std::uint32_t> scale = parse_integer<std::uint32_t>(byte_view(digits));
    if (scale.all_of(digits.size()) && scale.value <= 18) return {.scale = scale.value};
  }
  throw usage_error("'" + text +
                    "' is no type of numbers; give integer, decimal(N) for N digits behind the point, up to "
                    "18, or real");
}

std::string text_of(const number_type& type) {
  if (type.real) return "real";
  return type.scale == 0 ? "integer" : "decimal(" + std::to_string(type.scale) + ")";
}

}  // namespace duomap::apps
