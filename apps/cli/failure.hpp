// From an exception to a message and an exit status.
// host only
#pragma once

namespace duomap::apps {

/// Call it in a catch block: says on standard error what was caught and returns the program's exit status.
[[nodiscard]] int report_failure() noexcept;

/// From now on a process that runs out of memory where no exception may pass, as within functions of CLI11,
/// ends with the message and status of report_failure() instead of std::abort().
void install_terminate_handler() noexcept;

}  // namespace duomap::apps
