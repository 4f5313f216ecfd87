// Finds the layout of a table from its first lines.
#include "apps/tasks/table/table_layout.hpp"

#include "apps/tasks/table/comma_number.hpp"
#include "apps/tasks/table/json_layout.hpp"
#include "apps/tasks/table/log_layout.hpp"
#include "apps/tasks/table/narrowest_type.hpp"
#include "apps/tasks/table/parse_key_function.hpp"
#include "apps/tasks/table/plan_columns.hpp"
#include "apps/tasks/table/scaled_number.hpp"
#include "apps/tasks/table/table_sample.hpp"
#include "apps/tasks/table/table_start.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"
#include "core/record/fields.hpp"
#include "core/text/number.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace duomap::apps {
namespace {

// Makes a text of a field for the parsers of numbers.
class number_text {
 public:
  explicit number_text(const grouping& asked) : decimal_comma_(asked.decimal_comma) {}

  [[nodiscard]] byte_view operator()(byte_view field) {
    return decimal_comma_ ? comma_number::with_point(field, made_) : field;
  }

 private:
  bool decimal_comma_;
  char made_[comma_number::room] = {};
};

std::vector<byte_view> fields_of(byte_view text, const fields& format) {
  std::vector<byte_view> all;
  format.fields_of({text, 0, 0}).for_each([&](std::uint64_t, byte_view field) { all.push_back(field); });
  return all;
}

std::string unquoted(byte_view field, byte_view line, char quote, bool joined) {
  std::string text(field.text());
  if (is_quoted(field, line, quote)) {
    const std::string twice(2, quote);
    for (std::size_t at = 0; (at = text.find(twice, at)) != std::string::npos; ++at) text.erase(at, 1);
  }
  if (joined) std::ranges::replace(text, joined_line_feed, '\n');
  return text;
}

// The number of a column, from 1 on, if the user names the column by a number; else 0.
std::uint64_t column_number(const std::string& column) {
  const parsed<std::uint64_t> number = parse_integer<std::uint64_t>(byte_view(column));
  return number.all_of(column.size()) ? number.value : 0;
}

class layout_search {
 public:
  layout_search(const std::vector<byte_view>& lines, const table_start& start, const std::string& name,
                const grouping& asked)
    : name_(name), asked_(asked), where_(condition_of(asked)), lines_(lines), start_(start) {
    format_.quote = asked.quote;
    format_.delimiter = delimiter_of(lines_[0], start, asked);
    const std::vector<byte_view> first = fields_of(lines_[0], format_);
    columns_ = first.size();
    for (const byte_view field : first)
      names_.push_back(unquoted(field, lines_[0], asked.quote, asked.quoted_lines == true));
    header_ = asked.header.value_or(looks_like_header(first));
    if (!header_) names_.clear();
  }

  [[nodiscard]] table_layout layout() const {
    table_layout found;
    column_plan& plan = found.plan;
    plan.delimiter = format_.delimiter;
    plan.quote = format_.quote;
    plan.has_header = header_;
    plan.header_hash = line_hash(lines_[0]);
    // The lines in front of another table's header may have other sizes.
    constexpr std::uint32_t usual_front = std::uint32_t{64} << 10;
    plan.last_header = start_.at > 0 || asked_.comment != '\n' ? usual_front : 0;
    plan.comment = asked_.comment;
    plan.has_separator = start_.separator.has_value();
    plan.decimal_comma = asked_.decimal_comma;
    plan.joins_lines = asked_.quoted_lines == true;
    plan.missing = missing_words_of(asked_);
    plan.has_special_fields = plan.decimal_comma || plan.missing.count > 0;
    plan_columns(
        found, asked_, where_, [this](const std::string& key) { return key_of(key); },
        [this](const std::string& column) { return field_of(column); },
        [this](std::uint32_t field) { return type_of(field); });
    if (plan.joins_lines) plan.where.line_feed = joined_line_feed;
    return found;
  }

 private:
  [[nodiscard]] bool looks_like_header(const std::vector<byte_view>& first) const {
    const auto is_name = [](const std::string& column) {
      return column_number(column) == 0;
    };
    const auto reads_name = [&](const aggregate& one) {
      return (!one.column.empty() && is_name(one.column)) || (!one.by.empty() && is_name(one.by));
    };
    std::vector<std::string> keys;
    for (std::size_t k = 0; k < asked_.by.size(); ++k) {
      const bool is_column = asked_.is_values_key(k) || is_named(asked_.by[k]);
      keys.push_back(is_column ? asked_.by[k] : column_of_key(asked_.by[k]));
    }
    if (std::ranges::any_of(keys, is_name) || std::ranges::any_of(asked_.aggregates, reads_name) ||
        std::ranges::any_of(where_.columns, is_name))
      return true;
    const auto is_number = [text = number_text(asked_)](byte_view field) mutable {
      return is_any_number(trimmed(text(field)));
    };
    if (std::ranges::any_of(first, is_number) || lines_.size() < 2) return false;
    return std::ranges::any_of(fields_of(lines_[1], format_), is_number);
  }

  [[nodiscard]] bool is_named(const std::string& column) const {
    return std::ranges::find(names_, column) != names_.end();
  }

  /// A column whose name is the whole text wins against a function.
  [[nodiscard]] key_place key_of(const std::string& key) const {
    if (!is_named(key)) {
      if (const std::optional<key_call> call = parse_key_call(key))
        return {field_of(call->column), call->function};
    }
    return {field_of(key)};
  }

  [[nodiscard]] std::uint32_t field_of(const std::string& column) const {
    const auto named = std::ranges::find(names_, column);
    if (named != names_.end()) {
      if (std::find(named + 1, names_.end(), column) != names_.end())
        throw usage_error(quoted(name_) + " has several columns called " + quoted(column) +
                          "; give the column's number");
      return static_cast<std::uint32_t>(named - names_.begin());
    }
    if (const std::uint64_t number = column_number(column); number >= 1 && number <= columns_)
      return static_cast<std::uint32_t>(number - 1);
    std::string all;
    for (const std::string& one : names_) all += (all.empty() ? "" : ", ") + one;
    throw usage_error(
        quoted(name_) + " has no column " + quoted(column) + "; it has " + std::to_string(columns_) +
        (names_.empty() ? ", without names (--header yes takes the first line for names)" : ": " + all) +
        (columns_ == 1 ? "; give the character between columns with --delimiter" : "") +
        hint_of_calls(column));
  }

  [[nodiscard]] number_type type_of(std::uint32_t field) const {
    narrowest_type narrowest;
    const missing_words missing = missing_words_of(asked_);
    number_text number(asked_);
    for (std::size_t row = header_ ? 1 : 0; row < lines_.size(); ++row) {
      byte_view text;
      if (format_.fields_of({lines_[row], 0, 0}).get(field, text) && !missing.has(text))
        narrowest.add(number(text));
    }
    return narrowest.type();
  }

  const std::string& name_;
  const grouping& asked_;
  const parsed_condition where_;
  const std::vector<byte_view>& lines_;
  const table_start& start_;
  fields format_;
  std::uint64_t columns_ = 0;
  bool header_ = false;
  std::vector<std::string> names_;
};

}  // namespace

table_layout find_table_layout(byte_view beginning, bool whole, const std::string& name,
                               const grouping& asked, bool only) {
  table_sample sample = sample_of(beginning, whole);
  const table_start start = start_of(beginning, asked);
  const bool is_json = !sample.lines.empty() && is_json_lines(sample, asked);
  const bool is_log = asked.format == row_format::web_log;
  if (!is_json && !is_log) {
    sample = sample_of(beginning.sub(start.at, beginning.size - start.at), whole);
    std::erase_if(sample.lines, [&](byte_view line) { return line[0] == asked.comment; });
  }
  if (sample.lines.empty())
    throw input_error(quoted(name) + " has no row: " +
                      (start.at > 0 ? "it has only empty lines and comments" : "it is empty") +
                      "; give a table");
  const auto layout_of = [&](std::size_t which) {
    const grouping of_task = asked.of_task(which);
    if (is_log) return find_log_layout(sample, of_task);
    if (is_json) return find_json_layout(sample, name, of_task, only);
    return layout_search(sample.lines, start, name, of_task).layout();
  };
  table_layout found = layout_of(0);
  const std::size_t runs = asked.values_columns().size();
  for (std::size_t which = 1; which < runs; ++which) {
    table_layout more = layout_of(which);
    found.further.push_back(more.plan);
    for (std::string& warning : more.warnings) {
      if (std::ranges::find(found.warnings, warning) == found.warnings.end())
        found.warnings.push_back(std::move(warning));
    }
  }
  return found;
}

column_plan plan_without_table(const grouping& asked) {
  const std::vector<std::string> values = asked.value_columns();
  require_room(asked, values);
  static_cast<void>(condition_of(asked));
  column_plan plan;
  plan.keys = static_cast<unsigned>(asked.of_task().by.size());
  plan.values = static_cast<unsigned>(values.size());
  plan.has_ranks = asked.needs_ranks();
  plan.joins_lines = asked.quoted_lines == true || asked.format == row_format::json_lines;
  plan.decimal_comma = asked.decimal_comma;
  for (unsigned v = 0; v < plan.values; ++v) {
    const number_type* const given = asked.declared(values[v]);
    if (given == nullptr)
      throw usage_error("parts need the types of all columns that are added up: give --types " + values[v] +
                        "=integer, decimal(N) or real to each map and to the merge");
    plan.types[v] = *given;
  }
  return plan;
}

}  // namespace duomap::apps
