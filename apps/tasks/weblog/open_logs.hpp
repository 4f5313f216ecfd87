// Opens logs and finds their format.
// host only
#pragma once

#include "apps/tasks/weblog/log_client.hpp"
#include "apps/tasks/weblog/log_format.hpp"
#include "core/input/input.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// Logs of one format.
struct opened_logs {
  input logs;
  log_format format;
  std::uint64_t sample_lines = 0;  ///< lines that were tried
  std::uint64_t sample_fit = 0;    ///< lines among these that fit
  /// A sentence for the summary: the chosen format, and the share of lines that fit it.
  std::string format_note;
  /// Lines for the explanation: for each log, the number of lines that fit each format.
  std::vector<std::string> competition;
};

/// Finds the format of logs. `described` is the value of --log-format. If it is empty, the format is
/// recognised in the first 64 KiB of each log. Prefixes of lines are looked for there in any case. `choice`
/// decides which of several clients counts. Waiting for the lines of a pipe ends when `control`, if it is not
/// null, is cancelled.
/// @throws input_error, which names a log that fits no format, with its first line and the formats that were
/// expected, a log that fits two formats, or two logs of different formats; usage_error for a format that
/// does not exist
[[nodiscard]] opened_logs open_logs(input logs, const std::string& described, client_choice choice,
                                    const run_control* control);

}  // namespace duomap::apps
