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
#include <vector>

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
    const std::uint64_t texts = texts_in(keys[0], part.size);
    std::vector<state> by_place(texts > 0 ? texts + 1 : 0, no_rows<Values>());
    std::vector<std::uint64_t> a_row(by_place.size());  // with this place in the dictionary
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
        if (texts > 0) {
          const std::uint64_t place = is_null(keys[0], row + i) ? texts : dictionary_place(keys[0], row + i);
          a_row[place] = row + i;
          add_row(numbers, i, first_rows[part.source] + row, by_place[place]);
          continue;
        }
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
    for (std::uint64_t place = 0; place < by_place.size(); ++place)
      if (by_place[place].rows > 0) emit(plan.keys.key_of(keys, a_row[place], made), by_place[place]);
  }

 private:
  /// The number of texts in the dictionary of the only key column, if the states of all fit into a near cache
  /// and are few beside the rows. Then a chunk adds up by places in the dictionary, and hashes each text
  /// once. Else 0.
  [[nodiscard]] std::uint64_t texts_in(const column_view& column, std::uint64_t rows) const {
    constexpr std::uint64_t near_bytes = std::uint64_t{1} << 19;
    if (plan.keys.count != 1 || set != nullptr || column.dictionary == nullptr) return 0;
    const std::uint64_t texts = column.dictionary->size;
    return texts * 4 <= rows && texts * sizeof(state) <= near_bytes ? texts : 0;
  }

  void add_row(const number_block* numbers, std::uint64_t i, std::uint64_t first_row, state& to) const {
    ++to.rows;
    for (unsigned v = 0; v < plan.values; ++v) {
      if (numbers[v].status[i] == number_status::too_large) throw_too_large(value_names[v], first_row + i);
      if (numbers[v].status[i] != number_status::number) continue;
      std::int64_t bits = numbers[v].bits[i];
      ++to.count[v];
      if (plan.types[v].real) {
        to.real[v] += std::bit_cast<double>(bits);
        bits = ordered_bits(std::bit_cast<double>(bits));
      } else {
        to.low[v] += static_cast<std::uint64_t>(bits) & 0xffffffffu;
        to.high[v] += bits >> 32;
      }
      to.least[v] = std::min(to.least[v], bits);
      to.greatest[v] = std::max(to.greatest[v], bits);
    }
  }

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
