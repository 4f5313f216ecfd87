// Plans the columns of a grouping.
// host only
#pragma once

#include "apps/tasks/table/table_layout.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace duomap::apps {

/// @throws usage_error when there are too many columns of keys or numbers, or no keys
void require_room(const grouping& asked, const std::vector<std::string>& values);

/// The condition of a grouping, which may be empty.
[[nodiscard]] parsed_condition condition_of(const grouping& asked);

/// A column of the key: its field, and the function that makes it.
struct key_place {
  std::uint32_t field = 0;
  key_function function = {};
};

/// Adds the columns, their types and the condition to the plan, and the types to the note. key_of() finds a
/// column of the key by its text, field_of() gives the field of a column, and type_of() the type that was
/// found for a field.
/// @throws as require_room(); usage_error when a type is declared for a column without aggregates
void plan_columns(table_layout& into, const grouping& asked, const parsed_condition& where,
                  const std::function<key_place(const std::string& key)>& key_of,
                  const std::function<std::uint32_t(const std::string& column)>& field_of,
                  const std::function<number_type(std::uint32_t field)>& type_of);

}  // namespace duomap::apps
