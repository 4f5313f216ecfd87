// Ends the program on a signal, without leaving half a file behind.
// host only
#pragma once

#include "core/run_control.hpp"

namespace duomap::apps {

/// The last work before a signal ends the process at once. Signal handlers call it.
using end_action = void (*)() noexcept;

/// Installs the handlers for the rest of the process's life; `control` must live as long.
///
/// The first SIGINT, SIGTERM or SIGHUP sets control.cancelled, and the run ends in order. A second signal
/// ends the process at once with status 130. The same happens after 1 s, because a read that waits for a pipe
/// cannot see the flag. A signal that is ignored when the program starts (nohup) stays ignored.
///
/// SIGBUS in a mapped input ends the process with status 5 and a message that names the file.
///
/// Before the process ends at once, unfinished result files are removed, and after an interrupt `at_end` is
/// called, if it is not null. SIGPIPE and SIGXFSZ are ignored, because the write reports them.
void install_signal_handlers(run_control& control, end_action at_end = nullptr);

/// Prepares the start of another program in this process: the signals that install_signal_handlers() ignores
/// get their default action again.
void restore_ignored_signals();

/// Ends the process without a message, by SIGPIPE, as other programs in a pipe do. Returns when SIGPIPE was
/// already ignored at the start: the caller of the program then ignores it on purpose.
void end_by_closed_pipe();

}  // namespace duomap::apps
