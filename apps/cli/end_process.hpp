// Ends duomap's programs.
// host only
#pragma once

namespace duomap::apps {

/// Ends the process with this status without destroying objects. The output of runs is already written, and
/// the system takes back memory, threads and GPUs, even GPUs that are still starting. With a profiler or a
/// sanitizer in the process it calls exit(), so that the tool can report.
[[noreturn]] void end_process(int status) noexcept;

}  // namespace duomap::apps
