// How the program ends when a signal tells it to, without leaving half a file behind.
// host only
#pragma once

#include "core/run_control.hpp"

namespace duomap::apps {

/// Installs the handlers, for the rest of the process's life, which `control` must last.
///
/// SIGINT, SIGTERM, SIGHUP: the first sets control.cancelled, and the run ends in order. A second one, or
/// 1 second without an end (a read that waits for a pipe cannot see the flag), ends the process at once with
/// status 130. Those that are ignored when the program starts (nohup) stay so.
/// SIGBUS in a mapped input: names the file and ends with status 5.
/// Both remove unfinished result files first. SIGPIPE and SIGXFSZ are ignored: the write reports them.
void install_signal_handlers(run_control& control);

/// Undoes what another program in this process would inherit: signals that install_signal_handlers() has made
/// ignored.
void restore_ignored_signals();

/// Ends the process as SIGPIPE would have, without a word, as programs in a pipe do. Returns when SIGPIPE was
/// ignored before install_signal_handlers(): the program's caller then ignores it on purpose.
void end_by_closed_pipe();

}  // namespace duomap::apps
