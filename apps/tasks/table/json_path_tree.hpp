// Makes the tree of the members that a plan reads from the names of columns.
// host only
#pragma once

#include "apps/tasks/table/json_paths.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// The tree of columns whose names all differ. Dots in the name of a column stand between names of members.
/// @throws usage_error when there are too many names, or they are too long
[[nodiscard]] json_paths json_paths_of(const std::vector<std::string>& columns);

}  // namespace duomap::apps
