// The answer of a grouping with aggregates that need different values. The task has grouped by one more
// column, whose values they are.
// host only
#pragma once

#include "apps/tasks/table/grouped_table.hpp"
#include "apps/tasks/table/value_answers.hpp"
#include "apps/tasks/table/value_rows.hpp"
#include "core/error.hpp"
#include "core/key.hpp"
#include "core/memory_reservation.hpp"
#include "core/parallel_sort.hpp"
#include "core/task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

template <unsigned Values>
class grouped_values final : public grouped_table {
 public:
  grouped_values(const column_plan& plan, const grouping& asked, keyed_result<group_rows<Values>> result,
                 worker_pool& pool)
    : plan_(plan),
      aggregates_(asked.aggregates),
      columns_(columns_of(asked)),
      result_(std::move(result)),
      held_(result_.memory()) {
    for (const aggregate& one : aggregates_) {
      if (needs_values(one.kind)) over_values_.push_back(one);
    }
    const std::vector<std::string> columns = asked.value_columns();
    const auto at = std::ranges::find(columns, *asked.values_column());
    std::optional<unsigned> column;
    if (at != columns.end()) column = static_cast<unsigned>(at - columns.begin());

    memory_reservation held(result_.memory());
    held.take(2 * result_.size() * sizeof(value_row), "the different values of a column");
    std::vector<value_row> rows = rows_of(column, pool);
    type_ = column ? plan_.types[*column] : read_numbers(rows, pool);
    const group_rows<Values> task{plan_};
    std::vector<std::vector<group>> parts(parts_of_groups(pool));
    for_each_group(rows, pool, [&](std::uint64_t part, std::span<const value_row> values) {
      held_.take(bytes_of_group(), "the groups of a table");
      state merged = no_rows<Values>();
      for (const value_row& one : values)
        reduction_of(task).fold_fields(merged, *static_cast<const state*>(one.state));
      parts[part].push_back({values[0].group(), merged, answers_of(values, over_values_, type_)});
    });
    for (std::vector<group>& part : parts) {
      std::ranges::move(part, std::back_inserter(groups_));
      part = {};
    }
  }

  [[nodiscard]] std::uint64_t size() const noexcept override { return groups_.size(); }

  [[nodiscard]] bool is_text(std::size_t aggregate) const noexcept override {
    return aggregates_[aggregate].kind == aggregate_kind::mode && !type_;
  }

  void for_each(group_order order, std::optional<std::uint64_t> top, worker_pool& pool,
                const use_cells& use) const override {
    std::vector<const group*> rows;
    rows.reserve(groups_.size());
    for (const group& one : groups_) rows.push_back(&one);
    const auto by_key = [](const group* a, const group* b) {
      return key_less(a->key, b->key);
    };
    const auto largest_first = [this](const group* a, const group* b) {
      const auto of_a = order_of(*a), of_b = order_of(*b);
      if (of_a != of_b) return of_a > of_b;  // a missing value is less than any number
      return key_less(a->key, b->key);
    };
    if ((top || order == group_order::value) && is_text(0))
      throw usage_error(aggregates_[0].heading() +
                        " has texts, and rows are ordered by numbers; put another aggregate first");
    if (top) {
      const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(*top, rows.size()));
      std::partial_sort(rows.begin(), end, rows.end(), largest_first);
      rows.erase(end, rows.end());
    } else if (order == group_order::value) {
      parallel_sort(rows, largest_first, pool);
    }
    if (order == group_order::key) parallel_sort(rows, by_key, pool);
    std::vector<cell> cells;
    std::vector<std::string> texts(aggregates_.size());
    for (const group* const one : rows) {
      cells.clear();
      add_key_cells(one->key, plan_.keys - 1, cells);
      std::size_t answer = 0;
      for (std::size_t i = 0; i < aggregates_.size(); ++i) {
        if (needs_values(aggregates_[i].kind))
          cells.push_back(answer_cell(aggregates_[i], one->answers[answer++], type_, texts[i]));
        else
          cells.push_back(aggregate_cell(aggregates_[i], plan_.types[columns_[i]],
                                         numbers_of(one->merged, columns_[i]), one->key, texts[i]));
      }
      use(cells);
    }
  }

 private:
  using state = group_state<Values>;

  struct group {
    byte_view key;
    state merged;
    std::vector<cell> answers;  // of the aggregates over values
  };

  [[nodiscard]] std::uint64_t bytes_of_group() const {
    return sizeof(group) + over_values_.size() * sizeof(cell);
  }

  // One row for each row of the result. `column`: the value column that has the numbers.
  [[nodiscard]] std::vector<value_row> rows_of(std::optional<unsigned> column, worker_pool& pool) const {
    const auto& partitions = result_.reduced().partitions;
    std::vector<std::uint64_t> begins;
    std::uint64_t size = 0;
    for (const auto& entries : partitions) begins.push_back(std::exchange(size, size + entries.size()));
    std::vector<value_row> rows(size);
    pool.for_each_index(partitions.size(), [&](std::uint64_t p) {
      std::uint64_t next = begins[p];
      for (const auto& entry : partitions[p]) {
        value_row& row = rows[next++] = value_row_of(entry.key.bytes(), plan_.keys);
        row.state = &entry.value;
        if (!column) {
          row.rows = trimmed(row.text()).empty() ? 0 : entry.value.rows;
        } else if (entry.value.count[*column] > 0) {
          row.rows = entry.value.count[*column];
          row.number = entry.value.least[*column];
          // -0.0 equals 0.0.
          if (plan_.types[*column].real && row.number == ordered_bits(-0.0)) row.number = ordered_bits(0.0);
        }
      }
    });
    return rows;
  }

  [[nodiscard]] std::optional<long double> order_of(const group& one) const {
    if (needs_values(aggregates_[0].kind)) return answer_order(aggregates_[0], one.answers[0], type_);
    return aggregate_order(aggregates_[0], plan_.types[columns_[0]], numbers_of(one.merged, columns_[0]));
  }

  column_plan plan_;
  std::vector<aggregate> aggregates_;
  std::vector<unsigned> columns_;       // the value column of each aggregate
  std::vector<aggregate> over_values_;  // the aggregates that need different values
  std::optional<number_type> type_;     // of the values; nothing for texts
  keyed_result<group_rows<Values>> result_;
  memory_reservation held_;
  std::vector<group> groups_;
};

}  // namespace duomap::apps
