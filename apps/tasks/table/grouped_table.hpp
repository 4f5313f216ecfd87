// The answer of a grouping. Its rows are lists of cells, so its type does not depend on the number of
// columns.
// host only
#pragma once

#include "apps/tasks/table/group_rows.hpp"
#include "apps/tasks/table/grouping.hpp"
#include "apps/tasks/table/pick_rows.hpp"
#include "apps/tasks/table/picked_cells.hpp"
#include "apps/tasks/table/picked_values.hpp"
#include "core/input/input.hpp"
#include "core/output/table_writer.hpp"
#include "core/result/keyed.hpp"
#include "core/worker_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

enum class group_order : unsigned char {
  none,
  key,    ///< by the bytes of the key columns, one after the other
  value,  ///< by the first aggregate, largest first, missing values last; ties by key
};

/// Gets one row: the cells of the key columns, then the cells of the aggregates.
using use_cells = std::function<void(std::span<const cell> cells)>;

class grouped_table {
 public:
  grouped_table() = default;
  grouped_table(const grouped_table&) = delete;
  grouped_table& operator=(const grouped_table&) = delete;
  virtual ~grouped_table() = default;

  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;

  /// Whether the values of this aggregate, the first one being 0, are texts.
  [[nodiscard]] virtual bool is_text(std::size_t) const noexcept { return false; }

  /// Reads the values of picked rows. Without a pick it does nothing. Call it before is_text() and
  /// for_each().
  /// @throws input_error when a table has changed; memory_exceeded
  virtual void read_picks(const input& tables, const column_plan& plan, const grouping& asked,
                          worker_pool& pool) = 0;

  /// Calls use() for every row. With `top` only for the rows with the largest values of the first aggregate.
  /// @throws error when a sum may be inexact; memory_exceeded
  virtual void for_each(group_order order, std::optional<std::uint64_t> top, worker_pool& pool,
                        const use_cells& use) const = 0;
};

/// The numbers of a value column under one key.
struct group_numbers {
  std::uint64_t rows = 0;
  std::uint64_t count = 0;
  std::uint64_t low = 0;
  std::int64_t high = 0;
  double real = 0;
  std::int64_t least = 0;
  std::int64_t greatest = 0;
};

/// The numbers of a column with a single number, as the state of a row has it.
[[nodiscard]] inline group_numbers single(std::int64_t number) {
  return {.rows = 1, .count = 1, .least = number, .greatest = number};
}

/// Makes the text of a key for messages. An empty function: the text is the key.
using key_text_function = std::function<std::string(byte_view key)>;

/// The value of an aggregate as a cell. `text` holds a number that has too many digits for a
/// double, or is an integer beyond 64 bits.
/// @throws error, which names the key, when a sum may be inexact
[[nodiscard]] cell aggregate_cell(const aggregate& asked, const number_type& type,
                                  const group_numbers& numbers, byte_view key, std::string& text,
                                  const key_text_function& key_text = {});

/// The value of an aggregate for comparing rows; nothing if the value is missing.
[[nodiscard]] std::optional<long double> aggregate_order(const aggregate& asked, const number_type& type,
                                                         const group_numbers& numbers);

/// The numbers of value column `v`.
template <unsigned Values>
[[nodiscard]] group_numbers numbers_of(const group_state<Values>& from, unsigned v) {
  return {from.rows, from.count[v], from.low[v], from.high[v], from.real[v], from.least[v], from.greatest[v]};
}

template <unsigned Values, unsigned Rows>
[[nodiscard]] group_numbers numbers_of(const picked_state<Values, Rows>& from, unsigned v) {
  return numbers_of(from.numbers, v);
}

/// The value column of each aggregate; 0 for an aggregate that reads none.
[[nodiscard]] std::vector<unsigned> columns_of(const grouping& asked);

/// Appends one cell for each of the columns of a key. With `joined`, which is then used as memory, line feeds
/// take the place of joined_line_feed.
void add_key_cells(byte_view key, unsigned columns, std::vector<cell>& cells, std::string* joined = nullptr);

/// Orders texts by their bytes, as if joined_line_feed were the line feed that it stands for. Between columns
/// of a key stands a line feed, which comes before those of a field.
[[nodiscard]] bool joined_less(byte_view a, byte_view b) noexcept;

/// `Task`: group_rows or pick_rows.
template <class Task>
class grouped_rows final : public grouped_table {
 public:
  grouped_rows(const column_plan& plan, const grouping& asked, keyed_result<Task> result,
               key_text_function key_text = {})
    : plan_(plan),
      aggregates_(asked.aggregates),
      values_(columns_of(asked)),
      picked_(asked),
      result_(std::move(result)),
      key_text_(std::move(key_text)) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return result_.size(); }

  [[nodiscard]] bool is_text(std::size_t aggregate) const noexcept override {
    return picked_.is_text(aggregate);
  }

  void read_picks(const input& tables, const column_plan& plan, const grouping& asked,
                  worker_pool& pool) override {
    if (!asked.has_picks()) return;
    std::vector<wanted_value> wanted;
    result_.for_each([&](byte_view, const state& one) { picked_.add_wanted(picked_rows_of(one), wanted); });
    picked_.set_values({std::move(wanted), tables, plan, asked, pool, result_.memory()});
  }

  void for_each(group_order order, std::optional<std::uint64_t> top, worker_pool& pool,
                const use_cells& use) const override {
    std::vector<cell> cells;
    std::vector<std::string> texts(aggregates_.size());
    std::string joined;
    const auto give = [&](byte_view key, const state& one) {
      cells.clear();
      add_key_cells(key, plan_.keys, cells, plan_.joins_lines ? &joined : nullptr);
      for (std::size_t i = 0; i < aggregates_.size(); ++i)
        cells.push_back(is_pick(aggregates_[i].kind)
                            ? picked_.value(i, picked_rows_of(one), texts[i])
                            : aggregate_cell(aggregates_[i], plan_.types[values_[i]],
                                             numbers_of(one, values_[i]), key, texts[i], key_text_));
      use(cells);
    };
    if (order == group_order::none && !top) {
      result_.for_each(give);
      return;
    }
    if (top || order == group_order::value) picked_.require_number(0);
    const auto largest_first = [this](const auto& a, const auto& b) {
      const auto of_a = order_of(a.value), of_b = order_of(b.value);
      if (of_a != of_b) return of_a > of_b;  // a missing value is less than any number
      return plan_.joins_lines ? joined_less(a.key, b.key) : a.key.text() < b.key.text();
    };
    const auto by_joined_key = [](const auto& a, const auto& b) {
      return joined_less(a.key, b.key);
    };
    const bool only_keys = order == group_order::key && !top;
    auto rows = top                              ? result_.top(*top, largest_first)
                : only_keys && plan_.joins_lines ? result_.sorted(by_joined_key, pool)
                : only_keys                      ? result_.sorted(by_key, pool)
                                                 : result_.sorted(largest_first, pool);
    if (top && order == group_order::key) {
      if (plan_.joins_lines)
        parallel_sort(rows, by_joined_key, pool);
      else
        parallel_sort(rows, by_key, pool);
    }
    for (const auto& row : rows) give(row.key, row.value);
  }

 private:
  using state = typename Task::state;

  [[nodiscard]] std::optional<long double> order_of(const state& one) const {
    if (is_pick(aggregates_[0].kind)) return picked_.order(0, picked_rows_of(one));
    return aggregate_order(aggregates_[0], plan_.types[values_[0]], numbers_of(one, values_[0]));
  }

  column_plan plan_;
  std::vector<aggregate> aggregates_;
  std::vector<unsigned> values_;  // the value column of each aggregate
  picked_cells picked_;
  keyed_result<Task> result_;
  key_text_function key_text_;
};

}  // namespace duomap::apps
