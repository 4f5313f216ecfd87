// Finds the task of a header in the header's text.
// host only
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// The classes of a C++ source that look like tasks: outside of other classes and of templates, with a body
/// that declares `reduce` and a map. The names have their namespaces and are in the order of the source.
/// Includes and macros are ignored.
[[nodiscard]] std::vector<std::string> tasks_in(std::string_view source);

/// The task that `duomap run HEADER` runs: the class that has the name of the file, or the only task.
/// @throws usage_error when there is no such task; it names the tasks that it found
[[nodiscard]] std::string task_of_header(const std::string& path, std::string_view content);

}  // namespace duomap::apps
