// Writes messages about a path: the problem and the remedy.
// host only
#pragma once

#include <string>
#include <string_view>

namespace duomap {

/// The text with its control characters as \x1b: those of ASCII, those from U+0080 to U+009F, which some
/// terminals obey, too, and bytes that are no UTF-8, which other terminals take for control characters. So a
/// name can neither command a terminal nor begin a line of its own.
[[nodiscard]] std::string escaped_controls(std::string_view text);

/// The path as messages show it: in single quotes, with escaped control characters.
[[nodiscard]] std::string quoted(const std::string& path);

/// The message for a path that a system call refused with `error` (an errno value).
[[nodiscard]] std::string path_problem(const std::string& path, int error);

/// The system's words for an errno value.
[[nodiscard]] std::string error_text(int error);

}  // namespace duomap
