// The grouping that a user asks for: SELECT keys, aggregates ... WHERE condition GROUP BY keys.
// host only
#pragma once

#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/decimal_fraction.hpp"
#include "apps/tasks/table/parse_condition.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {

enum class aggregate_kind : unsigned char {
  rows,
  count,
  sum,
  least,
  greatest,
  mean,
  first,
  last,
  any,
  argmin,
  argmax,
  distinct,
  mode,
  median,
  quantile,
  variance,
  deviation,
  approx_distinct,
  approx_quantile
};

/// The name of a kind in headings: "count", "min", "std".
[[nodiscard]] std::string_view name(aggregate_kind kind) noexcept;
/// The aggregate of a column that name() calls so; nothing for another name.
[[nodiscard]] std::optional<aggregate_kind> aggregate_named(std::string_view name) noexcept;

/// Whether an aggregate of this kind needs the different values of its column.
[[nodiscard]] constexpr bool needs_values(aggregate_kind kind) noexcept {
  return kind >= aggregate_kind::distinct;
}

/// The sketch of the values of a column, by which a run of the task groups them.
enum class sketch_kind : unsigned char {
  none,       ///< each different value is grouped for itself
  registers,  ///< by the registers of a sketch of different values
  buckets,    ///< by the buckets of a histogram
};

[[nodiscard]] constexpr sketch_kind sketch_of(aggregate_kind kind) noexcept {
  return kind == aggregate_kind::approx_distinct   ? sketch_kind::registers
         : kind == aggregate_kind::approx_quantile ? sketch_kind::buckets
                                                   : sketch_kind::none;
}

/// A column whose values a run of the task groups.
struct values_column {
  std::string name;
  sketch_kind sketch = sketch_kind::none;

  friend bool operator==(const values_column&, const values_column&) = default;
};

/// Whether an aggregate of this kind is the value of a column in a row that is picked from the group.
[[nodiscard]] constexpr bool is_pick(aggregate_kind kind) noexcept {
  return kind >= aggregate_kind::first && kind <= aggregate_kind::argmax;
}

/// Calls use.operator()<N>() with the smallest number N of value columns that tasks are compiled for and that
/// has room for `values`.
template <class Use>
decltype(auto) with_room_for(unsigned values, const Use& use) {
  if (values <= 1) return use.template operator()<1>();
  if (values <= 4) return use.template operator()<4>();
  return use.template operator()<most_value_columns>();
}

/// A column of the answer.
struct aggregate {
  aggregate_kind kind = aggregate_kind::rows;
  std::string column;        ///< empty: counts rows
  decimal_fraction at = {};  ///< of a quantile
  std::string by = {};       ///< the column by whose numbers argmin and argmax pick a row
  unsigned rank = 0;         ///< 1 is the best row of several; 0: the only row

  /// The name of the column in the answer: "count" for rows, else "sum(price)", "quantile(price,0.9)",
  /// "argmax(name,price)" or "argmax(name,price,2)" for the second row.
  [[nodiscard]] std::string heading() const;
};

/// A grouping as the user asks for it. Columns are named by the table's first line, or by numbers from 1.
struct grouping {
  std::vector<std::string> by;
  std::vector<aggregate> aggregates;
  std::string where;  ///< as parse_condition() reads it; empty: all rows
  /// The types that the user declares. The types of other columns are found in the first rows.
  std::vector<std::pair<std::string, number_type>> types;
  std::optional<char>
      delimiter;     ///< nothing: the most frequent of tab, comma, semicolon and bar in the first line
  char quote = '"';  ///< '\0': no byte quotes
  log_host_place log_host = log_host_place::none;  ///< of a web server's log
  std::optional<row_format> format;                ///< nothing: found in the first line
  /// Whether fields in quotes may go over the end of a line; nothing: tried if a row has an odd number of
  /// quotes.
  std::optional<bool> quoted_lines;
  char comment = '\n';               ///< the first byte of lines that are comments; '\n': there are none
  bool decimal_comma = false;        ///< numbers have a comma in front of their decimals
  std::vector<std::string> missing;  ///< texts that stand for a missing value, as an empty field does
  /// For of_task(): the sketch of the last column of `by`; nothing if it is a key of the user.
  std::optional<sketch_kind> last_sketch;
  std::optional<bool> header;  ///< nothing: true if a column is named, or only the first line has no number

  /// The columns whose numbers are read. Each column comes once, in the order of the aggregates. A column
  /// that has no aggregate but distinct, mode and picks of its values, and no declared type, is no such
  /// column.
  [[nodiscard]] std::vector<std::string> value_columns() const;
  /// The columns whose values are picked, each once, in the order of the aggregates.
  [[nodiscard]] std::vector<std::string> picked_columns() const;
  [[nodiscard]] bool has_picks() const { return !picked_columns().empty(); }
  /// The type that the user declares for a column, or null.
  [[nodiscard]] const number_type* declared(std::string_view column) const;
  /// The columns of the aggregates that need different values, each once for each sketch, in the order of the
  /// aggregates.
  [[nodiscard]] std::vector<values_column> values_columns() const;
  /// Whether an aggregate needs the ranks of registers in the states.
  [[nodiscard]] bool needs_ranks() const;
  /// The grouping that a run of the task does: `by` has column `which` of values_columns() at its end, if
  /// there is one.
  /// @throws usage_error when there is no room for it
  [[nodiscard]] grouping of_task(std::size_t which = 0) const;
  /// For of_task(): whether by[key] is a column of values_columns(), which no function of the user makes.
  [[nodiscard]] bool is_values_key(std::size_t key) const { return last_sketch && key + 1 == by.size(); }
  /// Whether an option is set that only delimited text has.
  [[nodiscard]] bool asks_for_delimited_text() const;
  /// All parts that decide the answer, as a text. A stored partial has this text.
  [[nodiscard]] std::string text() const;
};

/// Sets the format that `text` names: "auto", "delimited", "jsonl", or a format of web servers' logs,
/// "common", "combined", "vhost_combined" or "lighttpd".
/// @throws usage_error for another text
void set_format(grouping& asked, std::string_view text);
/// @throws usage_error when JSON Lines or a log are asked for, and an option of delimited text, too; when
/// characters of delimited text are the same
void require_format_alone(const grouping& asked);

/// @throws usage_error when there are too many words, or they are too long
[[nodiscard]] missing_words missing_words_of(const grouping& asked);

/// Parses "integer", "decimal" (two digits behind the point), "decimal(N)" or "real".
/// @throws usage_error for another text
[[nodiscard]] number_type parse_number_type(const std::string& text);
[[nodiscard]] std::string text_of(const number_type& type);

}  // namespace duomap::apps
