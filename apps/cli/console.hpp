// Writes messages of the program to its user on standard error.
// host only
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace duomap::apps {

enum class colour_choice {
  automatic,  ///< colours on a terminal that has them, unless NO_COLOR is set
  always,
  never,
};

/// Sets when the program's messages are coloured.
void choose_colour(colour_choice choice) noexcept;

/// Whether a terminal that can move its cursor shows the text of this descriptor.
[[nodiscard]] bool is_terminal(int descriptor);

/// The columns of the terminal behind this descriptor; 80 where they are unknown.
[[nodiscard]] std::size_t terminal_columns(int descriptor);

/// Whether to colour text for this descriptor, by the choice and the environment.
[[nodiscard]] bool colour_wanted(int descriptor);

/// Replaces control bytes except newlines by \xNN: a file's name may contain commands to the terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// Writes "duomap: MESSAGE" and a newline, in one piece. Does nothing when standard error is closed.
void say(std::string_view message);

/// Writes "duomap: error: MESSAGE" and a newline, in one piece.
void say_error(std::string_view message);

/// Writes `text` to standard error as it is, in one piece.
void write_standard_error(std::string_view text) noexcept;

}  // namespace duomap::apps
