// Parses argmin and argmax as users write them.
// host only
#pragma once

#include "apps/tasks/table/grouping.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// One aggregate, or one for each of several rows, the best one first. `by` is the column by which rows are
/// compared, with K behind `separator` for K rows: "price" or "price:3".
/// @throws usage_error, which begins with `written`, for an empty column and for K other than 1 to 16
[[nodiscard]] std::vector<aggregate> parse_best_rows(aggregate_kind kind, const std::string& column,
                                                     const std::string& by, char separator,
                                                     const std::string& written);

}  // namespace duomap::apps
