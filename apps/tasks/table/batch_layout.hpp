// Finds the columns of a grouping in a table whose columns have names and types.
// host only
#pragma once

#include "apps/tasks/table/column_view.hpp"
#include "apps/tasks/table/group_columns.hpp"
#include "apps/tasks/table/grouping.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// A column of a table, as the table's owner describes it.
struct column_type {
  std::string name = {};
  std::string type = {};  ///< for messages: "int64"
  bool known = true;
  bool time = false;  ///< whole numbers that stand for days or moments
  bool text = false;
  column_kind kind = column_kind::nothing;  ///< of `known` columns; not used for texts
  unsigned scale = 0;
};

/// The columns that a grouping reads.
struct batch_layout {
  batch_plan plan;
  std::vector<std::uint32_t> columns;  ///< plan.reads() places in the table
  std::vector<std::string> value_names;
  std::vector<value_set> sets;  ///< for grouping::values_columns()
  /// The plan of the answer, in which the whole key is one column.
  column_plan answer;
};

/// @throws usage_error when a column does not exist or is not unique, when its type does not fit its use, or
/// when there are too many columns
[[nodiscard]] batch_layout find_batch_layout(const std::vector<column_type>& table, const grouping& asked);

/// The values of a key for messages, with commas between them.
[[nodiscard]] std::string key_text(const key_layout& keys, byte_view key);

}  // namespace duomap::apps
