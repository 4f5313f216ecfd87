// Work without the GIL, while the caller's thread looks for signals and tells how far it is.
#pragma once

#include "core/run_control.hpp"

#include <nanobind/nanobind.h>

#include <functional>

namespace duomap::python {

/// Calls `work` on another thread and waits for it without the GIL. Every 50 ms this thread, and no other,
/// calls Python: signal handlers, and `progress` with (done, total), if it is not None. An exception of
/// either, such as KeyboardInterrupt, cancels the work, which has ended when it leaves here.
/// @throws what work throws
void supervise(run_control& control, nanobind::handle progress, const std::function<void()>& work);

/// Refuses to run in a child of a process that has run before: threads do not survive a fork.
void require_own_process();

}  // namespace duomap::python
