// Runs a program for one task, with the options of `duomap run`.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <string_view>

namespace duomap::apps {

/// Runs the application with these arguments. The result goes to standard output or a file, everything else
/// to standard error; never throws. Returns the exit status (core/error.hpp). Call it once, first thing in
/// main: it installs signal handlers.
[[nodiscard]] int run_task_program(const app& task, int argc, const char* const* argv) noexcept;

/// The name of the program, without its folder.
[[nodiscard]] std::string_view program_name(int argc, const char* const* argv) noexcept;

}  // namespace duomap::apps
