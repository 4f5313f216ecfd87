// Runs the whole program behind main(), from the command line to the exit status.
// host only
#pragma once

namespace duomap::apps {

/// Runs the command that the arguments name. Data goes to standard output, everything else to standard error;
/// never throws. Returns the exit status (core/error.hpp). Call it once, first thing in main: it installs
/// signal handlers.
[[nodiscard]] int run_program(int argc, const char* const* argv) noexcept;

}  // namespace duomap::apps
