// What the program says to its user, on standard error.
// host only
#pragma once

#include <string>
#include <string_view>

namespace duomap::apps {

/// Whether text for this descriptor may be coloured: it is a terminal that can, and NO_COLOR is not set.
[[nodiscard]] bool colour_wanted(int descriptor);

/// `text` with its control bytes except newlines as \xNN: names of files may hold what a terminal would obey.
[[nodiscard]] std::string printable(std::string_view text);

/// Writes "duomap: MESSAGE" and a newline, in one piece. A closed standard error is nobody's problem.
void say(std::string_view message);

/// Writes "duomap: error: MESSAGE" and a newline, in one piece.
void say_error(std::string_view message);

/// Writes `text` to standard error as it is, in one piece.
void write_standard_error(std::string_view text) noexcept;

}  // namespace duomap::apps
