// Names the columns of an output that stand for the columns of an input.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// Returns the `own` names, followed by a name for each of the `count` columns of a table, all different. A
/// column keeps its name from `names`. If that is empty, not UTF-8 or taken, or if there are no `names`, it
/// gets `prefix` and its number from 1 on, with "_2" or more behind it if that is taken, too.
[[nodiscard]] std::vector<std::string> column_headings(std::vector<std::string> own,
                                                       const std::vector<std::string>& names,
                                                       std::uint64_t count, const std::string& prefix);

}  // namespace duomap::apps
