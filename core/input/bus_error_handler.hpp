// Gives a process a message for the case that mapped input becomes unreadable while it is read.
// host only
#pragma once

namespace duomap {

/// Installs a handler of SIGBUS for the process: the system raises SIGBUS when a mapped file is cut by whole
/// pages, or when its disk fails. For an input of duomap it removes unfinished results, names the file on
/// standard error and ends the process with status 5 (bad input); any other bus error has its usual effect.
/// Without the handler the signal ends the process without a message. `line_start`, which must live as long
/// as the process, is written before the message.
void install_bus_error_handler(const char* line_start = "");

}  // namespace duomap
