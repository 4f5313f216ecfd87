// How duomap's programs end.
// host only
#pragma once

namespace duomap::apps {

/// Ends the process with this status, without what it would take down in order: what runs have written is on
/// its way, and the system takes back memory, threads and GPUs, also those that are just being started.
/// Tools that were put into the process, as profilers and sanitizers, see its end in order.
[[noreturn]] void end_process(int status) noexcept;

}  // namespace duomap::apps
