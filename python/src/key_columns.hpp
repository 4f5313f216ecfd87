// Makes the key columns of an answer from the bytes of its keys.
#pragma once

#include "apps/tasks/table/column_keys.hpp"
#include "columns.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::python {

/// The number that stands for a missing one. `meaning`: column::meaning.
[[nodiscard]] std::int64_t missing_number(const std::string& meaning);

/// `meanings`: column::meaning of each column.
[[nodiscard]] std::vector<column> key_columns(const text_column& keys, const apps::key_layout& layout,
                                              const std::vector<std::string>& names,
                                              const std::vector<std::string>& meanings);

}  // namespace duomap::python
