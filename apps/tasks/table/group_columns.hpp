// Groups the rows of columns in memory. The states and the reduction are those of rows of text.
// host only
#pragma once

#include "apps/tasks/table/column_keys.hpp"
#include "apps/tasks/table/column_numbers.hpp"
#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/column_view.hpp"
#include "apps/tasks/table/group_rows.hpp"
#include "apps/tasks/table/typed_values.hpp"
#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/record/index_range.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

namespace duomap::apps {

/// Says which columns of a batch are keys, numbers or compared, and how to read them.
struct batch_plan {
  key_layout keys;
  unsigned values = 0;
  number_type types[most_value_columns] = {};
  row_condition where;
  unsigned sets = 0;  ///< columns whose different values are needed

  /// The number of columns that are read: the keys, the values, the comparisons, and the columns of different
  /// values, in this order.
  [[nodiscard]] unsigned reads() const { return keys.count + values + where.count + sets; }
};

/// The column whose different values a run of the task finds.
struct value_set {
  value_form form;
  unsigned index = 0;  ///< among the columns of different values
  std::string name;    ///< for messages
};

/// Groups rows of batches of columns that fulfil a condition. Each source of the input is a batch: the
/// indices of its rows. With a value_set, the value is a part of the key; only the run of the first one adds
/// up numbers. map throws input_error for a number that is beyond 64 bits.
template <unsigned Values>
struct group_columns {
  using format = index_range;
  using key = byte_view;
  using state = group_state<Values>;
  using reduce = typename group_rows<Values>::reduce;
  static constexpr std::uint64_t max_emits_per_record = 1;

  batch_plan plan;
  const column_view* columns = nullptr;       ///< plan.reads() for each batch
  const std::uint64_t* first_rows = nullptr;  ///< the number of each batch's first row in the table
  const std::string* value_names = nullptr;   ///< for messages
  const value_set* set = nullptr;             ///< null: none

  void map_chunk(const chunk& part, auto& emit) const {
    const column_view* const keys = columns + std::uint64_t{part.source} * plan.reads();
    const column_view* const values = keys + plan.keys.count;
    const column_view* const compared = values + plan.values;
    const column_view* const of_set = set == nullptr ? nullptr : compared + plan.where.count + set->index;
    const unsigned added = set == nullptr || set->index == 0 ? plan.values : 0;
    std::string made, with_value;
    number_block numbers[Values];
    number_block different;
    std::uint32_t results[rows_at_once];
    for (std::uint64_t done = 0; done < part.size; done += rows_at_once) {
      const std::uint64_t row = part.offset + done;
      const std::uint64_t count = std::min(rows_at_once, part.size - done);
      std::fill_n(results, count, 0);
      for (unsigned c = 0; c < plan.where.count; ++c)
        compare_rows(compared[c], row, count, plan.where, c, results);
      for (unsigned v = 0; v < added; ++v) read_numbers(values[v], row, count, numbers[v]);
      if (set != nullptr && !set->form.text) read_values(*of_set, set->form, row, count, different);
      for (std::uint64_t i = 0; i < count; ++i) {
        if (!plan.where.holds(results[i])) continue;
        state values_of_row = no_rows<Values>();
        values_of_row.rows = 1;
        for (unsigned v = 0; v < added; ++v) {
          if (numbers[v].status[i] == number_status::number) {
            const std::int64_t bits = numbers[v].bits[i];
            plan.types[v].real ? put_real(std::bit_cast<double>(bits), v, values_of_row)
                               : put_units(bits, v, values_of_row);
          } else if (numbers[v].status[i] == number_status::too_large) {
            throw_too_large(value_names[v], first_rows[part.source] + row + i);
          }
        }
        byte_view key_bytes = plan.keys.key_of(keys, row + i, made);
        if (set != nullptr) {
          if (!set->form.text && different.status[i] == number_status::too_large)
            throw_too_large(set->name, first_rows[part.source] + row + i);
          add_value(key_bytes, *of_set, row + i, different.status[i], different.bits[i], with_value);
          key_bytes = byte_view(with_value);
        }
        emit(key_bytes, values_of_row);
      }
    }
  }

 private:
  void add_value(byte_view group, const column_view& column, std::uint64_t row, number_status status,
                 std::int64_t bits, std::string& made) const {
    if (!set->form.text) return add_number(group, status == number_status::number, bits, made);
    const bool null = is_null(column, row);
    const byte_view text = null ? byte_view() : text_at(column, row);
    add_text(group, null ? nullptr : &text, made);
  }

  [[noreturn]] static void throw_too_large(const std::string& column, std::uint64_t row) {
    throw input_error("row " + std::to_string(row) + ", counted from 0: the number in column '" + column +
                      "' is beyond 64 bits; cast the column to doubles, or leave the row out");
  }
};

}  // namespace duomap::apps
