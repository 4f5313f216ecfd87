// What is wrong with a path, and what to do about it.
// host only
#pragma once

#include <string>

namespace duomap {

/// The path as messages show it: in single quotes.
[[nodiscard]] std::string quoted(const std::string& path);

/// The message for a path that a system call refused with `error` (an errno value).
[[nodiscard]] std::string path_problem(const std::string& path, int error);

/// The system's words for an errno value.
[[nodiscard]] std::string error_text(int error);

}  // namespace duomap
