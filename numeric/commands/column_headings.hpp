// Names the columns of an output, some of which stand for the columns of an input.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// Returns the `own` names, followed by a name for each of a table's `count` columns, all different. A column
/// keeps its name from `names`, unless this name is missing, empty, not UTF-8 or taken. Then it gets `prefix`
/// and its number, counted from 1, and "_2" or a higher number behind them if that name is taken, too.
[[nodiscard]] std::vector<std::string> column_headings(std::vector<std::string> own,
                                                       const std::vector<std::string>& names,
                                                       std::uint64_t count, const std::string& prefix);

}  // namespace duomap::apps
