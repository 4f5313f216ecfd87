// Logs with their format, which is found out.
// host only
#pragma once

#include "apps/tasks/weblog/log_format.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"

#include <string>

namespace duomap::apps {

/// Logs of one format.
struct opened_logs {
  input logs;
  log_format format;
};

/// Finds out the format of logs. `described` is what --log-format says; empty: the format is
/// recognised in the first 64 KiB of each. Waiting for those of a pipe ends when `control` is cancelled.
/// @throws input_error naming a log that fits no format, with its first line and what was expected, or two
/// logs of different formats; usage_error for a format that does not exist
[[nodiscard]] opened_logs open_logs(input logs, const std::string& described, const run_control& control);

}  // namespace duomap::apps
