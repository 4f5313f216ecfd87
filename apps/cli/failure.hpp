// From an exception to a message and an exit status.
// host only
#pragma once

namespace duomap::apps {

/// Call it in a catch block: says on standard error what was caught and returns the program's exit status.
[[nodiscard]] int report_failure() noexcept;

}  // namespace duomap::apps
