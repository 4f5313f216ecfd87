// Finds the task of a header in the header's text.
// host only
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// The classes of a C++ source that look like tasks: outside of other classes and of templates, with a body
/// that declares `reduce` and a map. With their namespaces, in order. Does not preprocess: includes and
/// macros are not followed.
[[nodiscard]] std::vector<std::string> tasks_in(std::string_view source);

/// The task that `duomap run HEADER` runs: the class that has the name of the file, or the only task.
/// @throws usage_error that names the tasks, if there are several and none has the name of the file, or that
/// says which name is missing
[[nodiscard]] std::string task_of_header(const std::string& path, std::string_view content);

}  // namespace duomap::apps
