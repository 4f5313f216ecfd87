// Groups the rows of tables for Python.
#include "apps/tasks/table/group_batches.hpp"
#include "apps/tasks/table/parse_picks.hpp"
#include "apps/tasks/table/run_grouping.hpp"
#include "column_set.hpp"
#include "duomap.hpp"
#include "joined_report.hpp"
#include "key_columns.hpp"
#include "table_batches.hpp"
#include "text_functions.hpp"
#include "texts.hpp"
#include "watched_run.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using answer = std::pair<column_set, apps::run_summary>;
using named_text = std::pair<std::string, std::string>;

/// The text between the parentheses of "NAME(text)"; nothing for another text.
std::optional<std::string> argument_of(const std::string& text, std::string_view name) {
  if (!text.starts_with(name) || !text.ends_with(')') || text[name.size()] != '(') return std::nullopt;
  return text.substr(name.size() + 1, text.size() - name.size() - 2);
}

/// One aggregate, or several for "argmax(price,3)".
std::vector<apps::aggregate> aggregates_called(const named_text& one) {
  using enum apps::aggregate_kind;
  if (one.first == "rows") return {{rows, one.second}};
  for (const apps::aggregate_kind kind : {quantile, approx_quantile}) {
    if (const auto at = argument_of(one.first, apps::name(kind)))
      return {{kind, one.second, apps::parse_fraction(*at)}};
  }
  for (const apps::aggregate_kind kind : {argmin, argmax}) {
    if (const auto by = argument_of(one.first, apps::name(kind)))
      return apps::parse_best_rows(kind, one.second, *by, ',', "'" + one.first + "'");
  }
  const auto kind = apps::aggregate_named(one.first);
  if (kind && *kind != quantile && *kind != approx_quantile && *kind != argmin && *kind != argmax)
    return {{*kind, one.second}};
  throw usage_error(
      "an aggregate is 'count', 'sum', 'min', 'max', 'mean', 'first', 'last', 'any', 'argmin(price)', "
      "'argmax(price)', 'argmax(price,3)', 'distinct', 'mode', 'median', 'quantile(0.95)', 'var', 'std', "
      "'approx_distinct' or 'approx_quantile(0.95)', not '" +
      one.first + "'");
}

/// The numbers of an aggregate: integers if all are integers, else doubles, with NaN for missing numbers.
class number_column {
 public:
  void push_back(const cell& one) {
    signed_ = signed_ && std::holds_alternative<std::int64_t>(one);
    unsigned_ = unsigned_ && std::holds_alternative<std::uint64_t>(one);
    if (const auto* const number = std::get_if<std::uint64_t>(&one))
      return add(*number, static_cast<double>(*number));
    if (const auto* const number = std::get_if<std::int64_t>(&one))
      return add(static_cast<std::uint64_t>(*number), static_cast<double>(*number));
    if (const auto* const number = std::get_if<double>(&one)) return add(0, *number);
    if (const auto* const text = std::get_if<byte_view>(&one))
      return add(0, std::stod(std::string(text->text())));
    add(0, std::numeric_limits<double>::quiet_NaN());
  }

  [[nodiscard]] column named(std::string name) && {
    if (unsigned_) return {std::move(name), std::move(bits_)};
    if (signed_) return {std::move(name), std::vector<std::int64_t>(bits_.begin(), bits_.end())};
    return {std::move(name), std::move(doubles_)};
  }

 private:
  void add(std::uint64_t bits, double number) {
    bits_.push_back(bits);
    doubles_.push_back(number);
  }

  std::vector<std::uint64_t> bits_;
  std::vector<double> doubles_;
  bool signed_ = true;
  bool unsigned_ = true;
};

/// The modes of a column of an Arrow table that are neither numbers to add nor of the type int64.
struct mode_type {
  std::string meaning = {};  ///< as of column
  bool is_unsigned = false;

  [[nodiscard]] bool plain() const { return meaning.empty() && !is_unsigned; }
};

/// Modes with the type of their column.
class mode_column {
 public:
  explicit mode_column(mode_type type) : type_(std::move(type)) {}

  void push_back(const cell& one) {
    const auto* const number = std::get_if<std::int64_t>(&one);
    missing_.push_back(number == nullptr);
    const std::int64_t bits = number == nullptr   ? missing_number(type_.meaning)
                              : type_.is_unsigned ? apps::with_first_bit_turned(*number)
                                                  : *number;
    bits_.push_back(bits);
  }

  [[nodiscard]] column named(std::string name) && {
    if (std::ranges::none_of(missing_, [](bool one) { return one; })) missing_.clear();
    if (type_.is_unsigned)
      return {std::move(name), std::vector<std::uint64_t>(bits_.begin(), bits_.end()), std::move(missing_)};
    return {std::move(name), std::move(bits_), std::move(missing_), std::move(type_.meaning)};
  }

 private:
  mode_type type_;
  std::vector<std::int64_t> bits_;
  std::vector<bool> missing_;
};

/// Modes that are texts. A missing one is null in a table of columns, and empty in a table of text.
class text_modes {
 public:
  explicit text_modes(bool nulls) : nulls_(nulls) {}

  void push_back(const cell& one) {
    const auto* const text = std::get_if<byte_view>(&one);
    texts_.push_back(text != nullptr ? *text : byte_view());
    missing_.push_back(text == nullptr);
    any_missing_ = any_missing_ || (nulls_ && text == nullptr);
  }

  [[nodiscard]] column named(std::string name) && {
    if (!any_missing_) missing_.clear();
    return {std::move(name), std::move(texts_), std::move(missing_)};
  }

 private:
  bool nulls_;
  bool any_missing_ = false;
  text_column texts_;
  std::vector<bool> missing_;
};

/// `modes`: the type of the modes of each of grouping::values_columns(), for a table of columns; else empty.
columns columns_of(const apps::grouped_table& table, const apps::grouping& asked, worker_pool& pool,
                   const std::vector<mode_type>& modes = {}) {
  std::vector<text_column> keys(asked.by.size());
  std::vector<std::variant<number_column, text_modes, mode_column>> values;
  const std::vector<apps::values_column> sets = asked.values_columns();
  for (std::size_t i = 0; i < asked.aggregates.size(); ++i) {
    const apps::aggregate& one = asked.aggregates[i];
    const auto set = static_cast<std::size_t>(
        std::ranges::find(sets, apps::values_column{one.column, apps::sketch_of(one.kind)}) - sets.begin());
    if (table.is_text(i))
      values.emplace_back(text_modes(!modes.empty()));
    else if (one.kind == apps::aggregate_kind::mode && set < modes.size() && !modes[set].plain())
      values.emplace_back(mode_column(modes[set]));
    else
      values.emplace_back(number_column());
  }
  table.for_each(apps::group_order::none, std::nullopt, pool, [&](std::span<const cell> cells) {
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i].push_back(std::get<byte_view>(cells[i]));
    for (std::size_t i = 0; i < values.size(); ++i)
      std::visit([&](auto& to) { to.push_back(cells[keys.size() + i]); }, values[i]);
  });
  columns found;
  for (std::size_t i = 0; i < keys.size(); ++i) found.all.push_back({asked.by[i], std::move(keys[i])});
  for (std::size_t i = 0; i < values.size(); ++i)
    found.all.push_back(
        std::visit([&](auto& of) { return std::move(of).named(asked.aggregates[i].heading()); }, values[i]));
  return found;
}

char one_character(const char* name, const std::string& text) {
  if (text.size() != 1)
    throw usage_error(std::string(name) + " is '" + text + "'; give one character of ASCII");
  return text[0];
}

answer run_aggregate(const texts& from, const std::vector<std::string>& by,
                     const std::vector<named_text>& aggregates, const std::string& where,
                     const std::vector<named_text>& types, const std::string& input_format,
                     const std::string& delimiter, const std::string& quote, std::optional<bool> header,
                     std::optional<bool> quoted_lines, const std::string& comment, bool decimal_comma,
                     const std::vector<std::string>& missing, bool drop, const settings& how) {
  apps::grouping asked;
  asked.by = by;
  for (const named_text& one : aggregates)
    std::ranges::move(aggregates_called(one), std::back_inserter(asked.aggregates));
  asked.where = where;
  for (const auto& [column, type] : types) asked.types.emplace_back(column, apps::parse_number_type(type));
  apps::set_format(asked, input_format);
  if (!delimiter.empty()) asked.delimiter = one_character("delimiter", delimiter);
  asked.quote = quote.empty() ? '\0' : one_character("quote", quote);
  asked.header = header;
  asked.quoted_lines = quoted_lines;
  if (!comment.empty()) asked.comment = one_character("comment", comment);
  asked.decimal_comma = decimal_comma;
  asked.missing = missing;
  apps::require_format_alone(asked);
  return run_watched(how, from.brief(), [&](watched_run& one) {
    apps::opened_tables opened = apps::open_tables(from.open(), asked, &one.control);
    const auto pool = cpu::machine_pool(one.threads(), opened.tables);
    std::vector<std::string> notes;
    run_options how_to_run = one.options();
    how_to_run.device = apps::device_for(opened.layout.plan.format, asked, how_to_run.device, notes);
    const apps::group_outcome outcome = apps::run_grouping(
        opened, asked, one.how.deterministic, notes, *pool,
        [&](const auto& task) { return std::optional(run(task, opened.tables, *pool, how_to_run)); });
    one.report().task = "aggregate";
    one.report().results = outcome.table->size();
    for (std::string& note : notes) one.report().notes.push_back(std::move(note));
    one.summary.figures.emplace_back("bad_rows", outcome.faults.rows);
    if (outcome.faults.rows > 0) {
      const std::string first = apps::fault_text(outcome.faults, opened.layout, asked, opened.tables);
      apps::note_or_throw_faults(outcome.faults, first, drop, "bad_rows='drop'", one.report().notes);
    }
    return share(columns_of(*outcome.table, asked, *pool));
  });
}

answer run_aggregate_columns(nb::handle tables, const std::vector<std::string>& by,
                             const std::vector<named_text>& aggregates, const std::string& where,
                             const settings& how) {
  apps::grouping asked;
  asked.by = by;
  for (const named_text& one : aggregates) {
    std::ranges::move(aggregates_called(one), std::back_inserter(asked.aggregates));
    if (apps::is_pick(asked.aggregates.back().kind))
      throw usage_error(asked.aggregates.back().heading() +
                        " is found in tables of text only; tables of columns have all aggregates but first, "
                        "last, any, argmin and argmax");
  }
  asked.where = where;
  return run_in_parts(how, [&](watched_run& one) {
    table_batches batches(tables, asked);
    const apps::batch_layout& layout = batches.layout();
    if (one.how.deterministic) apps::require_no_doubles(layout.answer, asked);
    const auto pool = cpu::machine_pool(one.threads());
    run_report all;
    const auto table = apps::group_batches(
        layout, asked, *pool, [&] { return batches.next(); },
        [&](const auto& task, const input& from) {
          std::optional<decltype(run(task, from, *pool))> found;
          watch_part(one, [&] { found.emplace(run(task, from, *pool, one.options())); });
          // The rows of a second column of different values were counted before.
          if (task.set != nullptr && task.set->index > 0) one.report().units = one.report().sources = 0;
          join_report(all, std::exchange(one.report(), {}));
          return *std::move(found);
        });
    one.report() = std::move(all);
    one.report().task = "aggregate";
    one.report().results = table->size();
    one.summary.unit = apps::input_unit::indices;
    apps::grouping with_one_key = asked;
    with_one_key.by = {""};
    std::vector<mode_type> modes;
    for (const apps::value_set& set : layout.sets)
      modes.push_back({batches.set_meanings()[set.index], set.form.is_unsigned});
    columns found = columns_of(*table, with_one_key, *pool, modes);
    std::vector<column> keys = key_columns(std::get<text_column>(found.all.front().values), layout.plan.keys,
                                           by, batches.key_meanings());
    std::move(found.all.begin() + 1, found.all.end(), std::back_inserter(keys));
    return share({std::move(keys)});
  });
}

/// The names of the columns that a condition reads.
std::vector<std::string> condition_columns(const std::string& where) {
  return apps::parse_condition(where).columns;
}

const char* name_of(apps::comparison_kind kind) {
  constexpr const char* names[] = {
      "=", "!=", "<", "<=", ">", ">=", "is null", "is not null", "in", "not in", "like", "not like"};
  return names[static_cast<unsigned>(kind)];
}

/// A text as bytes, a decimal as its units and its scale, or a double.
nb::object constant_of(const apps::comparison& one, std::string_view text) {
  switch (one.constant) {
    case apps::comparison::constant_kind::text:
      return nb::bytes(text.data(), text.size());
    case apps::comparison::constant_kind::decimal:
      return nb::make_tuple(one.decimal, static_cast<int>(one.scale));
    default:
      return nb::float_(one.real);
  }
}

/// The comparisons of a condition, each with its column, its operator and its constants, and the steps that
/// join them: the index of a comparison, or a word.
nb::tuple condition_parts(const std::string& where) {
  const apps::parsed_condition parsed = apps::parse_condition(where);
  const apps::row_condition& all = parsed.condition;
  nb::list comparisons, steps;
  for (unsigned c = 0; c < all.count; ++c) {
    const apps::comparison& one = all.comparisons[c];
    const std::string_view text(all.texts + one.text, one.size);
    nb::list constants;
    if (one.has_list()) {
      for (std::size_t at = 0; at < text.size();) {
        if (one.constant == apps::comparison::constant_kind::text) {
          const auto size = static_cast<unsigned char>(text[at]);
          constants.append(constant_of(one, text.substr(at + 1, size)));
          at += 1 + size;
        } else {
          constants.append(constant_of(apps::detail::number_in_list(text.data() + at), {}));
          at += apps::comparison::bytes_of_number;
        }
      }
    } else if (one.kind != apps::comparison_kind::is_null && one.kind != apps::comparison_kind::is_not_null) {
      constants.append(constant_of(one, text));
    }
    comparisons.append(nb::make_tuple(parsed.columns[c], name_of(one.kind), constants));
  }
  for (unsigned i = 0; i < all.steps; ++i) {
    if (all.step[i] < apps::most_comparisons)
      steps.append(static_cast<int>(all.step[i]));
    else
      steps.append(all.step[i] == apps::row_condition::step_and ? "and" : "or");
  }
  return nb::make_tuple(comparisons, steps);
}

}  // namespace

void add_table_functions(nb::module_& module) {
  module.def("aggregate_columns", run_aggregate_columns, "tables"_a, "by"_a, "aggregates"_a, "where"_a,
             "settings"_a);
  module.def("condition_columns", condition_columns, "where"_a);
  module.def(
      "condition_parts", condition_parts, "where"_a,
      nb::sig(
          "def condition_parts(where: str) -> tuple[list[tuple[str, str, list[object]]], list[int | str]]"));
  module.def("aggregate", run_aggregate, "tables"_a, "by"_a, "aggregates"_a, "where"_a, "types"_a,
             "input_format"_a, "delimiter"_a, "quote"_a, "header"_a.none(), "quoted_lines"_a.none(),
             "comment"_a, "decimal_comma"_a, "null"_a, "drop"_a, "settings"_a);
}

}  // namespace duomap::python
