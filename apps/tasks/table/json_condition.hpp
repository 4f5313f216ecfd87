// Compares a member of a JSON object with a constant of a condition.
#pragma once

#include "apps/tasks/table/json_row.hpp"
#include "apps/tasks/table/json_string.hpp"
#include "apps/tasks/table/row_condition.hpp"
#include "core/config.hpp"

namespace duomap::apps {

/// Does what compare_field() does for fields. Only a missing member and JSON's null are null here. A string
/// is decoded and compared with texts, and is no number; any other value has its text as it stands in the
/// row.
[[nodiscard]] DUOMAP_HD inline bool compare_member(const json_values& members, unsigned column,
                                                   const row_condition& all, unsigned index, bool& result) {
  const comparison& with = all.comparisons[index];
  const bool has = members.has(column);
  if (!has || with.kind == comparison_kind::is_null || with.kind == comparison_kind::is_not_null) {
    result = with.kind == (has ? comparison_kind::is_not_null : comparison_kind::is_null);
    return true;
  }
  const byte_view text = members.text(column);
  const bool escaped = members.is_escaped(column);
  return detail::compare_value(
      all, with,
      [&](byte_view constant) {
        return escaped ? order_of_decoded(text, constant) : detail::order_of_texts(text, '\0', constant);
      },
      [&](const comparison& number, int& order) {
        return !members.is_string(column) && detail::order_of_numbers(text, number, order);
      },
      [&](byte_view pattern) {
        return escaped ? is_like(json_units{text}, pattern) : is_like(field_units{text}, pattern);
      },
      result);
}

}  // namespace duomap::apps
