// Does `duomap run HEADER`, which runs a task of the user's own like an application.
// host only
#pragma once

#include "core/run_control.hpp"

#include <string>

namespace duomap::apps {

/// Whether the word behind `duomap run` is the path of a header. Applications' names have no dots and
/// slashes.
[[nodiscard]] bool is_header(const std::string& word);

/// Replaces this process by the program of the header argv[2], with the arguments behind it; argv[1] is run,
/// map or merge. Compiles the program when the header, or a file that it includes, is new or has changed.
/// @throws input_error when there is no such header; compile_error; usage_error; error
[[noreturn]] void become_task(int argc, const char* const* argv, const run_control& control);

/// The text of `duomap cache`, which lists the compiled tasks with sizes and ages. `clear`: also removes
/// them.
[[nodiscard]] std::string cache_report(bool clear);

}  // namespace duomap::apps
