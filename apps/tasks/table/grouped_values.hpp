// The answer of a grouping with aggregates that need different values. For each column of these, a run of the
// task has grouped by one more column, whose values they are.
// host only
#pragma once

#include "apps/tasks/table/grouped_table.hpp"
#include "apps/tasks/table/value_answers.hpp"
#include "apps/tasks/table/value_rows.hpp"
#include "core/error.hpp"
#include "core/key.hpp"
#include "core/memory_reservation.hpp"
#include "core/parallel_sort.hpp"
#include "core/path_problem.hpp"
#include "core/task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

/// Reads the values of a column in the rows of a result.
template <class Task>
struct values_reader {
  std::function<value_row(byte_view key, const typename Task::state& state)> row_of;
  std::optional<number_type> type;  ///< of the values; nothing for texts
  bool may_be_numbers = false;      ///< texts are numbers if read_numbers() says so
  bool decimal_comma = false;       ///< of these numbers
};

/// Reads the ranks of registers, whose number of rows is 1. `plan`: of the run.
template <class Task>
[[nodiscard]] values_reader<Task> reader_of_ranks(const column_plan& plan) {
  const auto row_of = [keys = plan.keys, v = plan.values](byte_view key, const typename Task::state& state) {
    value_row row = value_row_of(key, keys);
    if (row.text().empty()) return row;
    row.rows = 1;
    row.number = numbers_of(state, v).greatest;
    return row;
  };
  return {row_of, number_type{}};
}

/// Reads the buckets of value column `v`: the middle between the least and the greatest number of each.
template <class Task>
[[nodiscard]] values_reader<Task> reader_of_buckets(const column_plan& plan, unsigned v) {
  const auto row_of = [keys = plan.keys, v, type = plan.types[v]](byte_view key,
                                                                  const typename Task::state& state) {
    value_row row = value_row_of(key, keys);
    const group_numbers numbers = numbers_of(state, v);
    if (numbers.count == 0) return row;
    row.rows = numbers.count;
    const double middle = middle_of(numbers.least, numbers.greatest, type);
    row.number = ordered_bits(middle == 0 ? 0.0 : middle);  // -0.0 equals 0.0
    return row;
  };
  return {row_of, number_type{.real = true}};
}

/// Reads values that are texts behind the last line feed of keys. `plan`: of the run.
template <class Task>
[[nodiscard]] values_reader<Task> reader_of_texts(const column_plan& plan, const grouping& asked,
                                                  const std::string& column) {
  const std::vector<std::string> columns = asked.value_columns();
  const auto at = std::ranges::find(columns, column);
  const unsigned keys = plan.keys;
  if (at == columns.end()) {
    const auto row_of = [keys](byte_view key, const typename Task::state& state) {
      value_row row = value_row_of(key, keys);
      row.rows = trimmed(row.text()).empty() ? 0 : numbers_of(state, 0).rows;
      return row;
    };
    return {row_of, std::nullopt, true, plan.decimal_comma};
  }
  const auto v = static_cast<unsigned>(at - columns.begin());
  const bool real = plan.types[v].real;
  const auto row_of = [keys, v, real](byte_view key, const typename Task::state& state) {
    value_row row = value_row_of(key, keys);
    const group_numbers numbers = numbers_of(state, v);
    if (numbers.count == 0) return row;
    row.rows = numbers.count;
    row.number = numbers.least;
    // -0.0 equals 0.0.
    if (real && row.number == ordered_bits(-0.0)) row.number = ordered_bits(0.0);
    return row;
  };
  return {row_of, plan.types[v]};
}

/// The reader of a column of grouping::values_columns(). `plan`: of the column's run.
template <class Task>
[[nodiscard]] values_reader<Task> reader_of(const column_plan& plan, const grouping& asked,
                                            const values_column& column) {
  if (column.sketch == sketch_kind::registers) return reader_of_ranks<Task>(plan);
  if (column.sketch == sketch_kind::none) return reader_of_texts<Task>(plan, asked, column.name);
  const std::vector<std::string> columns = asked.value_columns();
  const auto at = std::ranges::find(columns, column.name);
  return reader_of_buckets<Task>(plan, static_cast<unsigned>(at - columns.begin()));
}

/// `Task`: group_rows or pick_rows.
template <class Task>
class grouped_values final : public grouped_table {
 public:
  /// `keys`: the number of key columns of the answer. `types`: of the value columns. `joins_lines`: of the
  /// plan.
  grouped_values(unsigned keys, std::span<const number_type> types, const grouping& asked,
                 key_text_function key_text = {}, bool joins_lines = false, const Task& task = Task{})
    : task_(task),
      keys_(keys),
      types_(types.begin(), types.end()),
      aggregates_(asked.aggregates),
      columns_(columns_of(asked)),
      value_columns_(asked.values_columns()),
      picked_(asked),
      key_text_(std::move(key_text)),
      joins_lines_(joins_lines) {
    unsigned answers = 0;
    places_.resize(aggregates_.size());
    for (std::size_t c = 0; c < value_columns_.size(); ++c) {
      for (std::size_t i = 0; i < aggregates_.size(); ++i) {
        if (is_over(i, c)) places_[i] = {c, answers++};
      }
    }
  }

  /// Adds the result of a run, for the next of grouping::values_columns(). The first one has the states of
  /// all groups.
  /// @throws input_error when the runs have different groups; memory_exceeded
  void add(keyed_result<Task> result, const values_reader<Task>& reader, worker_pool& pool) {
    const std::size_t column = found_.size();
    std::vector<aggregate> over_values;
    for (std::size_t i = 0; i < aggregates_.size(); ++i) {
      if (is_over(i, column)) over_values.push_back(aggregates_[i]);
    }
    memory_reservation held(result.memory());
    held.take(2 * result.size() * sizeof(value_row), "the different values of a column");
    std::vector<value_row> rows = rows_of(result, reader, pool);
    std::optional<number_type> type = reader.type;
    if (reader.may_be_numbers) type = read_numbers(rows, pool, reader.decimal_comma);
    memory_reservation& of_groups = held_.emplace_back(result.memory());
    const std::uint64_t bytes = (column == 0 ? sizeof(group) : 0) + over_values.size() * sizeof(cell);
    std::vector<std::vector<group>> parts(parts_of_groups(pool));
    for_each_group(rows, pool, [&](std::uint64_t part, std::span<const value_row> values) {
      of_groups.take(bytes, "the groups of a table");
      group& one = parts[part].emplace_back();
      one.key = values[0].group();
      one.merged = *static_cast<const state*>(values[0].state);
      for (const value_row& each : values.subspan(1))
        reduction_of(task_).fold_fields(one.merged, *static_cast<const state*>(each.state));
      one.answers = answers_of(values, over_values, type, joins_lines_);
    });
    column == 0 ? take(parts) : join(parts);
    const bool has_texts = !type && std::ranges::any_of(over_values, [](const aggregate& one) {
      return one.kind == aggregate_kind::mode;
    });
    found_.push_back({type, nullptr});
    // Keys and texts point into the result.
    if (column == 0 || has_texts)
      found_.back().result = std::make_unique<keyed_result<Task>>(std::move(result));
  }

  [[nodiscard]] std::uint64_t size() const noexcept override { return groups_.size(); }

  [[nodiscard]] bool is_text(std::size_t aggregate) const noexcept override {
    return picked_.is_text(aggregate) ||
           (aggregates_[aggregate].kind == aggregate_kind::mode && !type_of(aggregate));
  }

  void read_picks(const input& tables, const column_plan& plan, const grouping& asked,
                  worker_pool& pool) override {
    if (!asked.has_picks()) return;
    std::vector<wanted_value> wanted;
    for (const group& one : groups_) picked_.add_wanted(picked_rows_of(one.merged), wanted);
    picked_.set_values({std::move(wanted), tables, plan, asked, pool, held_[0].of()});
  }

  void for_each(group_order order, std::optional<std::uint64_t> top, worker_pool& pool,
                const use_cells& use) const override {
    std::vector<const group*> rows;
    rows.reserve(groups_.size());
    for (const group& one : groups_) rows.push_back(&one);
    const auto by_key = [this](const group* a, const group* b) {
      return joins_lines_ ? joined_less(a->key, b->key) : key_less(a->key, b->key);
    };
    const auto largest_first = [this, by_key](const group* a, const group* b) {
      const auto of_a = order_of(*a), of_b = order_of(*b);
      if (of_a != of_b) return of_a > of_b;  // a missing value is less than any number
      return by_key(a, b);
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
    std::string joined;
    for (const group* const one : rows) {
      cells.clear();
      add_key_cells(one->key, keys_, cells, joins_lines_ ? &joined : nullptr);
      for (std::size_t i = 0; i < aggregates_.size(); ++i) {
        if (needs_values(aggregates_[i].kind))
          cells.push_back(answer_cell(aggregates_[i], one->answers[places_[i].answer], type_of(i), texts[i],
                                      joins_lines_));
        else if (is_pick(aggregates_[i].kind))
          cells.push_back(picked_.value(i, picked_rows_of(one->merged), texts[i]));
        else
          cells.push_back(aggregate_cell(aggregates_[i], plain_type(i), numbers_of(one->merged, columns_[i]),
                                         one->key, texts[i], key_text_));
      }
      use(cells);
    }
  }

 private:
  using state = typename Task::state;

  struct group {
    byte_view key;
    state merged;
    std::vector<cell> answers;  // of the aggregates over values: those over one column after the other
  };

  // The place of an aggregate over values: its column, and its answer in a group.
  struct place {
    std::size_t column = 0;
    unsigned answer = 0;
  };

  struct values_found {
    std::optional<number_type> type;  // nothing for texts
    std::unique_ptr<keyed_result<Task>> result;
  };

  [[nodiscard]] bool is_over(std::size_t aggregate, std::size_t column) const {
    return needs_values(aggregates_[aggregate].kind) &&
           values_column{aggregates_[aggregate].column, sketch_of(aggregates_[aggregate].kind)} ==
               value_columns_[column];
  }
  [[nodiscard]] const std::optional<number_type>& type_of(std::size_t aggregate) const {
    return found_[places_[aggregate].column].type;
  }
  [[nodiscard]] number_type plain_type(std::size_t aggregate) const {
    return types_.empty() ? number_type{} : types_[columns_[aggregate]];
  }

  // One row for each row of the result.
  [[nodiscard]] static std::vector<value_row> rows_of(const keyed_result<Task>& result,
                                                      const values_reader<Task>& reader, worker_pool& pool) {
    const auto& partitions = result.reduced().partitions;
    std::vector<std::uint64_t> begins;
    std::uint64_t size = 0;
    for (const auto& entries : partitions) begins.push_back(std::exchange(size, size + entries.size()));
    std::vector<value_row> rows(size);
    pool.for_each_index(partitions.size(), [&](std::uint64_t p) {
      std::uint64_t next = begins[p];
      for (const auto& entry : partitions[p]) {
        value_row& row = rows[next++] = reader.row_of(entry.key.bytes(), entry.value);
        row.state = &entry.value;
      }
    });
    return rows;
  }

  void take(std::vector<std::vector<group>>& parts) {
    for (std::vector<group>& part : parts) {
      std::ranges::move(part, std::back_inserter(groups_));
      part = {};
    }
  }

  // Adds the answers of another column. for_each_group() gives the groups of each run in the same order.
  void join(const std::vector<std::vector<group>>& parts) {
    std::size_t next = 0;
    for (const std::vector<group>& part : parts) {
      for (const group& more : part) {
        if (next == groups_.size() || groups_[next].key.text() != more.key.text() ||
            numbers_of(groups_[next].merged, 0).rows != numbers_of(more.merged, 0).rows)
          throw_other_rows();
        std::vector<cell>& answers = groups_[next++].answers;
        answers.insert(answers.end(), more.answers.begin(), more.answers.end());
      }
    }
    if (next != groups_.size()) throw_other_rows();
  }

  [[noreturn]] void throw_other_rows() const {
    throw input_error("the runs for the columns " + duomap::quoted(value_columns_[0].name) + " and " +
                      duomap::quoted(value_columns_[found_.size()].name) +
                      " counted different rows: a file changed in between; run it again");
  }

  [[nodiscard]] std::optional<long double> order_of(const group& one) const {
    if (is_pick(aggregates_[0].kind)) return picked_.order(0, picked_rows_of(one.merged));
    if (needs_values(aggregates_[0].kind))
      return answer_order(aggregates_[0], one.answers[places_[0].answer], type_of(0));
    return aggregate_order(aggregates_[0], plain_type(0), numbers_of(one.merged, columns_[0]));
  }

  Task task_;
  unsigned keys_;
  std::vector<number_type> types_;
  std::vector<aggregate> aggregates_;
  std::vector<unsigned> columns_;             // the value column of each aggregate
  std::vector<values_column> value_columns_;  // whose different values are needed
  std::vector<place> places_;                 // of each aggregate over values
  picked_cells picked_;
  key_text_function key_text_;
  bool joins_lines_;
  std::vector<values_found> found_;  // for each of value_columns_
  std::vector<memory_reservation> held_;
  std::vector<group> groups_;
};

}  // namespace duomap::apps
