// Ends the program on a signal, without leaving half a file behind.
// host only
#pragma once

#include "core/run_control.hpp"

namespace duomap::apps {

/// The last work before a signal ends the process at once. Signal handlers call it.
using end_action = void (*)() noexcept;

/// Installs the handlers for the rest of the process's life; `control` must live as long.
///
/// The first SIGINT, SIGTERM or SIGHUP sets control.cancelled, and the run ends in order. A second one, or 1
/// second without an end (a read that waits for a pipe cannot see the flag), ends the process at once with
/// status 130. A signal that is ignored when the program starts (nohup) stays ignored.
///
/// SIGBUS in a mapped input ends the process with status 5 and a message that names the file.
///
/// Both remove unfinished result files first; interrupts also call `at_end`, if it is not null. SIGPIPE and
/// SIGXFSZ are ignored: the write reports them.
void install_signal_handlers(run_control& control, end_action at_end = nullptr);

/// Prepares the start of another program in this process: gives the signals that install_signal_handlers()
/// has made ignored their default action again.
void restore_ignored_signals();

/// Ends the process without a message, as SIGPIPE would have and as programs in a pipe do. Returns when
/// SIGPIPE was ignored before install_signal_handlers(): the program's caller then ignores it on purpose.
void end_by_closed_pipe();

}  // namespace duomap::apps
