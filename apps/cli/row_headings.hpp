// Makes the headings of a task's rows.
// host only
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace duomap::apps {

/// Returns `given` with a heading for every further cell of a row. A lone key cell is "key"; several are
/// "key_1", "key_2" and so on. The same holds for "value".
/// @throws usage_error for more names than a row has cells
[[nodiscard]] std::vector<std::string> row_headings(std::vector<std::string> given, std::size_t key_cells,
                                                    std::size_t value_cells);

}  // namespace duomap::apps
