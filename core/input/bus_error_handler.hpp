// Writes a message when a mapped input becomes unreadable while it is read.
// host only
#pragma once

namespace duomap {

/// Installs a handler of SIGBUS. The system raises SIGBUS if a mapped file gets shorter or its disk fails;
/// without the handler the process would end without a message. If the address belongs to an input of duomap,
/// the handler removes unfinished results, names the file on standard error, and ends the process with status
/// 5 (bad input). Any other bus error has its usual effect. The message begins with `line_start`, which must
/// live as long as the process.
void install_bus_error_handler(const char* line_start = "");

}  // namespace duomap
