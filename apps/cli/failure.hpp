// Turns an exception into a message and an exit status.
// host only
#pragma once

namespace duomap::apps {

/// Reports the exception on standard error and returns the program's exit status. Call it in a catch block.
[[nodiscard]] int report_failure() noexcept;

/// Installs a handler for a process that runs out of memory where no exception may pass, as within functions
/// of CLI11. The process then ends with the message and status of report_failure(), not with std::abort().
void install_terminate_handler() noexcept;

}  // namespace duomap::apps
