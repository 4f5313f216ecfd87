// Writes the value of a column behind the key of its group, and reads both back.
// host only
#pragma once

#include "apps/tasks/table/column_numbers.hpp"
#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/column_view.hpp"
#include "apps/tasks/table/value_rows.hpp"
#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/error.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace duomap::apps {

/// The values of a column whose different values are needed.
struct value_form {
  bool text = false;
  /// Whole numbers of 64 bits without a sign. Their first bit is turned, which keeps their order.
  bool is_unsigned = false;
  number_type type = {};  ///< of numbers; booleans, days and moments are whole numbers

  friend bool operator==(const value_form&, const value_form&) = default;
};

/// The bits of a number with or without its first bit turned.
[[nodiscard]] inline std::int64_t with_first_bit_turned(std::int64_t bits) {
  return bits ^ std::numeric_limits<std::int64_t>::min();
}

/// Reads numbers of `count` rows as bits that are equal for equal values and have their order.
inline void read_values(const column_view& column, const value_form& form, std::uint64_t row,
                        std::uint64_t count, number_block& into) {
  if (column.kind != column_kind::boolean && !form.is_unsigned) {
    read_numbers(column, row, count, into);
    if (!form.type.real) return;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto number = std::bit_cast<double>(into.bits[i]);
      if (into.status[i] == number_status::number) into.bits[i] = ordered_bits(number == 0 ? 0.0 : number);
    }
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    into.status[i] = is_null(column, row + i) ? number_status::missing : number_status::number;
    const std::uint64_t at = column.first + row + i;
    into.bits[i] = form.is_unsigned ? with_first_bit_turned(value_at<std::int64_t>(column.values, at))
                                    : std::int64_t{bit_at(column.values, at)};
  }
}

/// A key with a value begins with the key of the group. A byte follows that says whether there is a value,
/// and then a number of 8 bytes, or a text and its length in 4 bytes.
inline void add_number(byte_view group, bool present, std::int64_t bits, std::string& made) {
  made.assign(group.data, group.size);
  made += present ? '\1' : '\0';
  if (!present) bits = 0;
  char bytes[sizeof bits];
  std::memcpy(bytes, &bits, sizeof bits);
  made.append(bytes, sizeof bits);
}

/// @throws input_error for a text of 4 GiB or more
inline void add_text(byte_view group, const byte_view* text, std::string& made) {
  made.assign(group.data, group.size);
  made += text != nullptr ? '\1' : '\0';
  const std::uint64_t size = text != nullptr ? text->size : 0;
  if (size > std::numeric_limits<std::uint32_t>::max() - group.size - 8)
    throw input_error("a text whose different values are counted has " + std::to_string(size) +
                      " bytes; it must have less than 4 GiB");
  if (size > 0) made.append(text->data, size);
  const auto length = static_cast<std::uint32_t>(size);
  char bytes[sizeof length];
  std::memcpy(bytes, &length, sizeof length);
  made.append(bytes, sizeof length);
}

/// Reads a key with a value. `rows`: the number of rows with this key.
[[nodiscard]] inline value_row typed_value_row(byte_view key, std::uint64_t rows, const value_form& form) {
  std::uint64_t behind = sizeof(std::int64_t);
  std::uint64_t end = key.size;
  value_row row;
  if (form.text) {
    std::uint32_t length = 0;
    end -= sizeof length;
    std::memcpy(&length, key.data + end, sizeof length);
    behind = length;
  } else {
    std::memcpy(&row.number, key.data + end - behind, sizeof row.number);
  }
  row.key = key.data;
  row.key_size = static_cast<std::uint32_t>(end);
  row.group_size = static_cast<std::uint32_t>(end - behind - 1);
  row.rows = key[row.group_size] != '\0' ? rows : 0;
  row.hash = hash_of_key(row.group());
  return row;
}

}  // namespace duomap::apps
