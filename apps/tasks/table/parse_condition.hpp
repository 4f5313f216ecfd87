// Reads the text of a condition: "price > 0 and (city = 'Rome' or city is null)".
// host only
#pragma once

#include "apps/tasks/table/row_condition.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// A condition, and the column of each of its comparisons.
struct parsed_condition {
  row_condition condition;
  std::vector<std::string> columns;
};

/// Parses comparisons, joined by `not`, `and`, `or` and parentheses, with SQL's precedence and quotes:
/// "column", 'text'. They are `COLUMN OPERATOR CONSTANT` with = == != <> < <= > >=, `COLUMN is [not] null`,
/// `COLUMN [not] in (CONSTANT, ...)`, `COLUMN [not] between CONSTANT and CONSTANT`, and
/// `COLUMN [not] like 'PATTERN'`.
/// @throws usage_error, which names the place, for any other text; when there are more than most_comparisons
/// comparisons, or more than most_constant_bytes bytes of texts and lists
[[nodiscard]] parsed_condition parse_condition(const std::string& text);

}  // namespace duomap::apps
