// Groups the rows of columns in memory. The states and the reduction are those of rows of text.
// host only
#pragma once

#include "apps/tasks/table/column_keys.hpp"
#include "apps/tasks/table/column_numbers.hpp"
#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/column_view.hpp"
#include "apps/tasks/table/group_rows.hpp"
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

  /// The number of columns that are read: the keys, the values, and the comparisons, in this order.
  [[nodiscard]] unsigned reads() const { return keys.count + values + where.count; }
};

/// Groups rows of batches of columns that fulfil a condition. Each source of the input is a batch: the
/// indices of its rows. map throws input_error for a number that is beyond 64 bits.
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

  void map_chunk(const chunk& part, auto& emit) const {
    const column_view* const keys = columns + std::uint64_t{part.source} * plan.reads();
    const column_view* const values = keys + plan.keys.count;
    const column_view* const compared = values + plan.values;
    std::string made;
    number_block numbers[Values];
    std::uint32_t results[rows_at_once];
    for (std::uint64_t done = 0; done < part.size; done += rows_at_once) {
      const std::uint64_t row = part.offset + done;
      const std::uint64_t count = std::min(rows_at_once, part.size - done);
      std::fill_n(results, count, 0);
      for (unsigned c = 0; c < plan.where.count; ++c)
        compare_rows(compared[c], row, count, plan.where, c, results);
      for (unsigned v = 0; v < plan.values; ++v) read_numbers(values[v], row, count, numbers[v]);
      for (std::uint64_t i = 0; i < count; ++i) {
        if (!plan.where.holds(results[i])) continue;
        state values_of_row = no_rows<Values>();
        values_of_row.rows = 1;
        for (unsigned v = 0; v < plan.values; ++v) {
          if (numbers[v].status[i] == number_status::number) {
            const std::int64_t bits = numbers[v].bits[i];
            plan.types[v].real ? put_real(std::bit_cast<double>(bits), v, values_of_row)
                               : put_units(bits, v, values_of_row);
          } else if (numbers[v].status[i] == number_status::too_large) {
            throw_too_large(v, first_rows[part.source] + row + i);
          }
        }
        emit(plan.keys.key_of(keys, row + i, made), values_of_row);
      }
    }
  }

 private:
  [[noreturn]] void throw_too_large(unsigned v, std::uint64_t row) const {
    throw input_error("row " + std::to_string(row) + ", counted from 0: the number in column '" +
                      value_names[v] +
                      "' is beyond 64 bits; cast the column to doubles, or leave the row out");
  }
};

}  // namespace duomap::apps
