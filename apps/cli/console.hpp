// What the program says to its user, on standard error.
// host only
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace duomap::apps {

enum class colour_choice {
  automatic,  ///< on a terminal that can, unless NO_COLOR is set
  always,
  never,
};

/// For all that is said from now on.
void choose_colour(colour_choice choice) noexcept;

/// Whether what is written to this descriptor is shown by a terminal that can move its cursor.
[[nodiscard]] bool is_terminal(int descriptor);

/// The columns of the terminal behind this descriptor; 80 where it does not say.
[[nodiscard]] std::size_t terminal_columns(int descriptor);

/// Whether text for this descriptor is coloured, as was chosen.
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
