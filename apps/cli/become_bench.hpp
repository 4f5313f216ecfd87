// Starts `duomap bench`, which is a program of its own, duomap-bench, because the benchmarks are as large as
// all other code together.
// host only
#pragma once

namespace duomap::apps {

/// Replaces this process by the program of the benchmarks, with the same arguments. Looks for it beside this
/// program and in ../libexec/duomap.
/// @throws error when it is not there or cannot be started
[[noreturn]] void become_bench(const char* const* argv);

}  // namespace duomap::apps
