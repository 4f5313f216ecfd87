// A condition on the columns of a row (WHERE): comparisons with constants, joined by and and or. The parser
// turns NOT into the opposite comparisons, so a null fulfils only is_null.
#pragma once

#include "apps/tasks/table/like_pattern.hpp"
#include "apps/tasks/table/scaled_number.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>
#include <cstring>

namespace duomap::apps {

inline constexpr unsigned most_comparisons = 16;
inline constexpr unsigned most_constant_bytes = 256;

enum class comparison_kind : unsigned char {
  equal,
  unequal,
  less,
  at_most,
  greater,
  at_least,
  is_null,
  is_not_null,
  in,  ///< equal to a constant of a list
  not_in,
  like,  ///< the constant is a pattern
  not_like,
};

/// A comparison of a field with a constant, or with a list of constants, all numbers or all texts. A list is
/// in row_condition::texts. A text in it stands behind a byte for its length. A number has a byte for its
/// scale, or list_of_real, and 8 bytes for its units or its double.
struct comparison {
  enum class constant_kind : unsigned char { text, decimal, real };
  static constexpr unsigned char list_of_real = 255;
  static constexpr unsigned bytes_of_number = 9;

  comparison_kind kind = comparison_kind::equal;
  constant_kind constant = constant_kind::text;
  unsigned char scale = 0;   ///< the unit of `decimal` is 10^-scale
  std::int64_t decimal = 0;  ///< the constant in units of 10^-scale, if its kind is decimal
  double real = 0;           ///< the constant as a double
  std::uint32_t text = 0;    ///< the place of a text or a list in row_condition::texts
  std::uint32_t size = 0;    ///< the number of bytes of the text or the list

  [[nodiscard]] DUOMAP_HD bool has_list() const {
    return kind == comparison_kind::in || kind == comparison_kind::not_in;
  }
};

/// The comparisons, and how they are joined, in postfix order: a step is the index of a comparison, or an
/// operator that joins the two results before it.
struct row_condition {
  static constexpr unsigned char step_and = 254;
  static constexpr unsigned char step_or = 255;

  unsigned count = 0;  ///< the number of comparisons
  unsigned steps = 0;
  comparison comparisons[most_comparisons] = {};
  unsigned char step[2 * most_comparisons] = {};
  char texts[most_constant_bytes] = {};
  /// This byte of a field stands for a line feed; '\n': there is none.
  char line_feed = '\n';

  /// Whether a row fulfils the condition. Bit i of `results` is the result of comparison i. All rows fulfil a
  /// condition without comparisons.
  [[nodiscard]] DUOMAP_HD bool holds(std::uint32_t results) const {
    if (steps == 0) return true;
    std::uint32_t stack = 0;  // the last result is bit 0
    for (unsigned i = 0; i < steps; ++i) {
      if (step[i] < most_comparisons) {
        stack = stack << 1 | (results >> step[i] & 1);
      } else {
        const std::uint32_t joined = step[i] == step_and ? stack & stack >> 1 : stack | stack >> 1;
        stack = (stack >> 2) << 1 | (joined & 1);
      }
    }
    return (stack & 1) != 0;
  }
};

namespace detail {

/// -1, 0 or 1, as `a` is below, equal to or above `b`.
template <class T>
[[nodiscard]] DUOMAP_HD constexpr int order_of(T a, T b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

/// -1, 0 or 1, as the field is below, equal to or above the constant.
[[nodiscard]] DUOMAP_HD inline int order_of_texts(byte_view field, char doubled, byte_view constant,
                                                  char line_feed = '\n') {
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < field.size; ++i, ++at) {
    if (at == constant.size) return 1;
    const auto a = static_cast<unsigned char>(field[i] == line_feed ? '\n' : field[i]);
    const auto b = static_cast<unsigned char>(constant[at]);
    if (a != b) return order_of(a, b);
    if (doubled != '\0' && field[i] == doubled) ++i;
  }
  return at < constant.size ? -1 : 0;
}

/// Sets `order` as order_of_texts() does. Decimals are compared exactly.
/// Returns false if the field is no number.
[[nodiscard]] DUOMAP_HD inline bool order_of_numbers(byte_view field, const comparison& with, int& order) {
  if (with.constant == comparison::constant_kind::decimal) {
    const scaled_number number = parse_scaled(field, with.scale);
    const int sign = field[0] == '-' ? -1 : 1;
    switch (number.status) {
      case scaled_status::number:
        order = order_of(number.value, with.decimal);
        return true;
      case scaled_status::too_large:
        order = sign;
        return true;
      case scaled_status::too_fine:  // `value` is the number without the digits that are too fine
        order = order_of(number.value, with.decimal);
        if (order == 0) order = sign;
        return true;
      case scaled_status::no_number:
        break;
    }
  }
  const parsed<double> number = parse_real(field);
  if (number.status != parse_status::number) return false;
  order = order_of(number.value, with.real);
  return true;
}

[[nodiscard]] DUOMAP_HD inline bool fulfils(comparison_kind kind, int order) {
  switch (kind) {
    case comparison_kind::equal:
      return order == 0;
    case comparison_kind::unequal:
      return order != 0;
    case comparison_kind::less:
      return order < 0;
    case comparison_kind::at_most:
      return order <= 0;
    case comparison_kind::greater:
      return order > 0;
    default:
      return order >= 0;
  }
}

/// The number that stands in a list.
[[nodiscard]] DUOMAP_HD inline comparison number_in_list(const char* list) {
  comparison one;
  std::int64_t bits = 0;
  memcpy(&bits, list + 1, sizeof bits);
  const auto scale = static_cast<unsigned char>(list[0]);
  if (scale == comparison::list_of_real) {
    one.constant = comparison::constant_kind::real;
    memcpy(&one.real, &bits, sizeof bits);
    return one;
  }
  one.constant = comparison::constant_kind::decimal;
  one.scale = scale;
  one.decimal = bits;
  double unit = 1;  // a power of ten that a double holds exactly
  for (unsigned i = 0; i < scale; ++i) unit *= 10;
  one.real = static_cast<double>(bits) / unit;
  return one;
}

/// Sets `found` to whether a constant of the list is equal. order_of_text(constant) and
/// order_of_number(constant, order) are those of compare_value().
template <class OrderOfText, class OrderOfNumber>
[[nodiscard]] DUOMAP_HD bool find_in_list(const row_condition& all, const comparison& with,
                                          const OrderOfText& order_of_text,
                                          const OrderOfNumber& order_of_number, bool& found) {
  const char* const end = all.texts + with.text + with.size;
  const bool texts = with.constant == comparison::constant_kind::text;
  found = false;
  for (const char* at = all.texts + with.text; at < end && !found;) {
    if (texts) {
      const auto size = static_cast<unsigned char>(*at);
      found = order_of_text(byte_view(at + 1, size)) == 0;
      at += 1 + size;
    } else {
      int order = 0;
      if (!order_of_number(number_in_list(at), order)) return false;
      found = order == 0;
      at += comparison::bytes_of_number;
    }
  }
  return true;
}

/// Compares a value that is not null. order_of_text(constant) gives its order and a text,
/// order_of_number(constant, order) sets its order and a number, or returns false if it is none, and
/// matches(pattern) says whether it is like a pattern. Sets `result`; returns false if a constant is a number
/// and the value is none.
template <class OrderOfText, class OrderOfNumber, class Matches>
[[nodiscard]] DUOMAP_HD bool compare_value(const row_condition& all, const comparison& with,
                                           const OrderOfText& order_of_text,
                                           const OrderOfNumber& order_of_number, const Matches& matches,
                                           bool& result) {
  if (with.kind >= comparison_kind::in) {
    if (!with.has_list()) {
      const bool is_like = matches(byte_view(all.texts + with.text, with.size));
      result = is_like == (with.kind == comparison_kind::like);
      return true;
    }
    bool found = false;
    if (!find_in_list(all, with, order_of_text, order_of_number, found)) return false;
    result = found == (with.kind == comparison_kind::in);
    return true;
  }
  int order = 0;
  if (with.constant == comparison::constant_kind::text) {
    order = order_of_text(byte_view(all.texts + with.text, with.size));
  } else if (!order_of_number(with, order)) {
    return false;
  }
  result = fulfils(with.kind, order);
  return true;
}

}  // namespace detail

/// Compares a field with a constant. A field without bytes other than spaces and tabs is null: it fulfils
/// is_null and nothing else. `doubled` is the quote of which the field has two for one, or '\0'. Sets
/// `result`; returns false if the constant is a number and the field is none.
[[nodiscard]] DUOMAP_HD inline bool compare_field(byte_view field, char doubled, const row_condition& all,
                                                  unsigned index, bool& result) {
  const comparison& with = all.comparisons[index];
  const byte_view content = trimmed(field);
  if (with.kind == comparison_kind::is_null || content.empty()) {
    result = with.kind == comparison_kind::is_null && content.empty();
    return true;
  }
  if (with.kind == comparison_kind::is_not_null) {
    result = true;
    return true;
  }
  return detail::compare_value(
      all, with, [&](byte_view text) { return detail::order_of_texts(field, doubled, text, all.line_feed); },
      [&](const comparison& number, int& order) { return detail::order_of_numbers(content, number, order); },
      [&](byte_view pattern) {
        return is_like(field_units{field, doubled, all.line_feed}, pattern);
      },
      result);
}

}  // namespace duomap::apps
