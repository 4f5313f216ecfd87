// What the columns of an output are called that stand for the columns of an input.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// `own` names, and behind them those of the `count` columns of a table: `names`, where it has as many that a
/// table_writer takes, all of them different and none of them one of `own`; else `prefix` and a number from 1
/// on.
[[nodiscard]] std::vector<std::string> column_headings(std::vector<std::string> own,
                                                       const std::vector<std::string>& names,
                                                       std::uint64_t count, const std::string& prefix);

}  // namespace duomap::apps
