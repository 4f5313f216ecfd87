// Ends duomap's programs.
// host only
#pragma once

namespace duomap::apps {

/// Ends the process with this status without destroying objects: the output of runs is already on its way,
/// and the system takes back memory, threads and GPUs, even GPUs that are still starting. If a tool such as a
/// profiler or a sanitizer is in the process, the process exits in order, so that the tool can report.
[[noreturn]] void end_process(int status) noexcept;

}  // namespace duomap::apps
