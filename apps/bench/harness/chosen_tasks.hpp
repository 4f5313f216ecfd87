// Which of its tasks a benchmark measures, by the names that the option --task has.
// host only
#pragma once

#include "core/error.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// Whether a task is measured: it is named, or none is.
[[nodiscard]] inline bool is_chosen(const std::vector<std::string>& names, std::string_view task) {
  return names.empty() || std::ranges::find(names, task) != names.end();
}

/// `kind` and `behind` stand around the name in the message: "unseen task", " beside a loop".
/// @throws usage_error for a name that none of the tasks has
void require_tasks(const std::vector<std::string>& names, const auto& tasks, const std::string& kind,
                   const std::string& behind = "") {
  for (const std::string& name : names) {
    if (std::ranges::none_of(tasks, [&](const auto& task) { return task.name == name; }))
      throw usage_error("there is no " + kind + " '" + name + "'" + behind);
  }
}

}  // namespace duomap::apps
