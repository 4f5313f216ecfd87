// Runs the whole program `duomap-bench` behind main(), which `duomap bench` starts.
// host only
#pragma once

namespace duomap::apps {

/// Runs the measurements that the arguments name. The arguments are those of `duomap`; the first is "bench".
/// Writes tables to standard output and everything else to standard error. Never throws. Returns the exit
/// status (core/error.hpp). Call it once, first thing in main: it installs signal handlers.
[[nodiscard]] int run_bench_program(int argc, const char* const* argv) noexcept;

}  // namespace duomap::apps
