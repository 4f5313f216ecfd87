// What the columns of a task's rows are called.
// host only
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace duomap::apps {

/// `given`, and for the cells behind them "key" and "value", or "key_1" and so on where a row has several of
/// them.
/// @throws usage_error for more names than a row has cells
[[nodiscard]] std::vector<std::string> row_headings(std::vector<std::string> given, std::size_t key_cells,
                                                    std::size_t value_cells);

}  // namespace duomap::apps
