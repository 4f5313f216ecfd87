// Chooses the tasks of a benchmark by the names in its option --task.
// host only
#pragma once

#include "core/error.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// Whether a task is measured: `names` holds it, or is empty.
[[nodiscard]] inline bool is_chosen(const std::vector<std::string>& names, std::string_view task) {
  return names.empty() || std::ranges::find(names, task) != names.end();
}

/// Checks that every name belongs to a task.
/// @throws usage_error for a name that no task has. Its message puts `kind`, such as "unseen task", before
/// the name, and `behind`, such as " beside a loop", after it.
void require_tasks(const std::vector<std::string>& names, const auto& tasks, const std::string& kind,
                   const std::string& behind = "") {
  for (const std::string& name : names) {
    if (std::ranges::none_of(tasks, [&](const auto& task) { return task.name == name; }))
      throw usage_error("there is no " + kind + " '" + name + "'" + behind);
  }
}

}  // namespace duomap::apps
