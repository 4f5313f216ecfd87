// Writes messages about a path. They have the problem and the remedy.
// host only
#pragma once

#include <string>
#include <string_view>

namespace duomap {

/// Replaces control characters in a text by \x1b and the like: those of ASCII, those from U+0080 to U+009F,
/// which some terminals obey, and bytes that are no UTF-8, which other terminals obey. So a file's name can
/// neither command a terminal nor begin a new line.
[[nodiscard]] std::string escaped_controls(std::string_view text);

/// The path in single quotes, for messages. Control characters are escaped.
[[nodiscard]] std::string quoted(const std::string& path);

/// The message for a path that a system call refused with `error` (an errno value).
[[nodiscard]] std::string path_problem(const std::string& path, int error);

/// The system's words for an errno value.
[[nodiscard]] std::string error_text(int error);

}  // namespace duomap
