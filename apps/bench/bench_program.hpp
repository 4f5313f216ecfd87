// The whole program `duomap-bench` behind main(): what `duomap bench` runs.
// host only
#pragma once

namespace duomap::apps {

/// Measures what the arguments name: those of `duomap`, the first of which is "bench". Tables go to standard
/// output, everything else to standard error; never throws. Returns the exit status (core/error.hpp). Call it
/// once, first thing in main: it installs signal handlers.
[[nodiscard]] int run_bench_program(int argc, const char* const* argv) noexcept;

}  // namespace duomap::apps
