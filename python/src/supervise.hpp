// Runs work without the GIL while the caller's thread handles signals and reports progress.
#pragma once

#include "core/run_control.hpp"

#include <nanobind/nanobind.h>

#include <functional>

namespace duomap::python {

/// Calls `work` on another thread and waits for it without the GIL. Every 50 ms, and once at the end, the
/// calling thread runs Python's signal handlers, and calls `progress` with (done, total) unless it is None.
/// The other thread calls no Python. An exception of a handler or of `progress`, such as KeyboardInterrupt,
/// cancels the work, and is rethrown when the work has ended.
/// @throws the exceptions of `work`, of `progress` and of signal handlers
void supervise(run_control& control, nanobind::handle progress, const std::function<void()>& work);

/// Refuses a process that was forked from a process that had run duomap, because threads do not survive a
/// fork.
/// @throws forked_process
void require_own_process();

}  // namespace duomap::python
