// Reads numbers of columns, many rows at a time, and compares them with the constants of conditions.
// host only
#pragma once

#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/column_view.hpp"
#include "apps/tasks/table/row_condition.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace duomap::apps {

__extension__ using wide_number = __int128;

/// The rows that are read at once. Their numbers fit into the nearest cache.
inline constexpr std::uint64_t rows_at_once = 256;

enum class number_status : unsigned char { missing, number, too_large };

/// The numbers of a column in some rows.
struct number_block {
  std::int64_t bits[rows_at_once];  ///< whole numbers in units of 10^-scale, or the bits of doubles
  number_status status[rows_at_once];
};

namespace detail {

/// A number of 16 bits of IEEE 754.
[[nodiscard]] inline double half_number(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double size = std::numeric_limits<double>::infinity();
  if (exponent == 31 && fraction != 0) return std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0) size = std::ldexp(fraction, -24);
  if (exponent > 0 && exponent < 31) size = std::ldexp(fraction + 1024, exponent - 25);
  return (bits >> 15) != 0 ? -size : size;
}

/// Calls use(i, number) for each row that has a number: a wide_number for whole numbers and decimals, else a
/// double.
template <class Use>
void for_each_number(const column_view& column, std::uint64_t row, std::uint64_t count, const Use& use) {
  const auto each = [&](const auto& number_of) {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (column.valid == nullptr || bit_at(column.valid, column.first + row + i))
        use(i, number_of(column.first + row + i));
    }
  };
  const char* const values = column.values;
  switch (column.kind) {
    case column_kind::float16:
      return each([values](std::uint64_t at) { return half_number(value_at<std::uint16_t>(values, at)); });
    case column_kind::float32:
      return each([values](std::uint64_t at) { return static_cast<double>(value_at<float>(values, at)); });
    case column_kind::float64:
      return each([values](std::uint64_t at) { return value_at<double>(values, at); });
    case column_kind::decimal128:
      return each([values](std::uint64_t at) { return value_at<wide_number>(values, at); });
    default:
      with_whole_type(column.kind, [&]<class T>(T) {
        each([values](std::uint64_t at) { return static_cast<wide_number>(value_at<T>(values, at)); });
      });
  }
}

[[nodiscard]] inline wide_number unit_of(unsigned scale) {
  wide_number unit = 1;
  for (unsigned i = 0; i < scale; ++i) unit *= 10;
  return unit;
}

/// -1, 0 or 1. NaN is equal to itself and greater than any number.
[[nodiscard]] inline int order_of_doubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return order_of(std::isnan(a), std::isnan(b));
  return order_of(a, b);
}

/// The order of a whole number of 1 / `unit` and a constant.
[[nodiscard]] inline int order_of_wide(wide_number number, wide_number unit, const comparison& with,
                                       wide_number constant, wide_number with_unit) {
  if (with.constant == comparison::constant_kind::decimal) {
    if (with.scale == 0) return order_of(number, constant);
    wide_number product = 0;
    // The constant in the column's units has fewer than 124 bits, so a larger number decides by its sign.
    if (__builtin_mul_overflow(number, with_unit, &product)) return number < 0 ? -1 : 1;
    return order_of(product, constant);
  }
  return order_of(static_cast<double>(static_cast<long double>(number) / static_cast<long double>(unit)),
                  with.real);
}

/// Calls use(i, order) with the order of the number of each row that has one and a constant.
template <class Use>
void for_each_order(const column_view& column, std::uint64_t row, std::uint64_t count, const comparison& with,
                    const Use& use) {
  const wide_number unit = unit_of(column.scale);
  const wide_number with_unit = unit_of(with.scale);
  const wide_number constant = static_cast<wide_number>(with.decimal) * unit;
  for_each_number(column, row, count, [&]<class Number>(std::uint64_t i, Number number) {
    if constexpr (std::is_same_v<Number, double>) {
      use(i, order_of_doubles(number, with.real));
    } else {
      use(i, order_of_wide(number, unit, with, constant, with_unit));
    }
  });
}

/// compare_rows() for numbers and a list.
inline void compare_with_list(const column_view& column, std::uint64_t row, std::uint64_t count,
                              const row_condition& where, const comparison& with, std::uint32_t bit,
                              std::uint32_t* results) {
  bool found[rows_at_once] = {};
  for (std::uint32_t at = 0; at < with.size; at += comparison::bytes_of_number) {
    for_each_order(column, row, count, number_in_list(where.texts + with.text + at),
                   [&](std::uint64_t i, int order) { found[i] = found[i] || order == 0; });
  }
  const bool wanted = with.kind == comparison_kind::in;
  for (std::uint64_t i = 0; i < count; ++i)
    if (!is_null(column, row + i) && found[i] == wanted) results[i] |= bit;
}

}  // namespace detail

/// Reads the numbers of `count` rows, at most rows_at_once.
inline void read_numbers(const column_view& column, std::uint64_t row, std::uint64_t count,
                         number_block& into) {
  for (std::uint64_t i = 0; i < count; ++i) into.status[i] = number_status::missing;
  detail::for_each_number(column, row, count, [&]<class Number>(std::uint64_t i, Number number) {
    into.status[i] = number_status::number;
    if constexpr (std::is_same_v<Number, double>) {
      // A NaN may have a sign, which would order it below all numbers.
      if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
      into.bits[i] = std::bit_cast<std::int64_t>(number);
    } else {
      into.bits[i] = static_cast<std::int64_t>(number);
      if (into.bits[i] != number) into.status[i] = number_status::too_large;
    }
  });
}

/// Sets bit `index` of the results of `count` rows, as row_condition::holds() takes them, if the row fulfils
/// comparison `index`. The constant is a text if and only if the column has texts. A null fulfils is_null and
/// nothing else.
inline void compare_rows(const column_view& column, std::uint64_t row, std::uint64_t count,
                         const row_condition& where, unsigned index, std::uint32_t* results) {
  const comparison& with = where.comparisons[index];
  const std::uint32_t bit = std::uint32_t{1} << index;
  if (with.kind == comparison_kind::is_null || with.kind == comparison_kind::is_not_null) {
    const bool wanted = with.kind == comparison_kind::is_null;
    for (std::uint64_t i = 0; i < count; ++i)
      if (is_null(column, row + i) == wanted) results[i] |= bit;
    return;
  }
  if (column.has_texts()) {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (is_null(column, row + i)) continue;
      const byte_view text = text_at(column, row + i);
      bool result = false;
      const bool compared = detail::compare_value(
          where, with, [&](byte_view constant) { return detail::order_of_texts(text, '\0', constant); },
          [](const comparison&, int&) { return false; },
          [&](byte_view pattern) { return is_like(field_units{text}, pattern); }, result);
      if (compared && result) results[i] |= bit;
    }
    return;
  }
  if (with.has_list()) {
    detail::compare_with_list(column, row, count, where, with, bit, results);
    return;
  }
  detail::for_each_order(column, row, count, with, [&](std::uint64_t i, int order) {
    if (detail::fulfils(with.kind, order)) results[i] |= bit;
  });
}

}  // namespace duomap::apps
