// What a process says when a mapped input becomes unreadable while it is read.
// host only
#pragma once

namespace duomap {

/// Installs a handler of SIGBUS for the process, which a mapped file raises that is cut by whole pages, or
/// whose disk fails. For an input of duomap it removes unfinished results, names the file on standard error
/// and ends the process with status 5 (bad input); any other bus error has its usual effect. Without it the
/// signal ends the process without a word. `line_start`, which must live as long as the process, is written
/// before the message.
void install_bus_error_handler(const char* line_start = "");

}  // namespace duomap
