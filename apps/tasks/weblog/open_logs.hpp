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
  std::uint64_t sample_lines = 0;  ///< lines of the samples
  std::uint64_t sample_fit = 0;    ///< lines of the samples that fit
  /// A sentence for the summary: the chosen format, and the share of lines that fit the format.
  std::string format_note;
  /// For the explanation: a line for each log with the number of lines that fit each format.
  std::vector<std::string> competition;
};

/// Finds the format of logs. `described`: the value of --log-format; empty: the format is found from the
/// first 64 KiB of each log. The prefixes of lines are found there in any case. `choice`: which of several
/// clients counts. If `control` is not null and is cancelled, waiting for a pipe ends.
/// @throws input_error, which names a log that fits no format, with its first line and the formats that were
/// expected, a log that fits two formats, or two logs of different formats; usage_error for a format that
/// does not exist
[[nodiscard]] opened_logs open_logs(input logs, const std::string& described, client_choice choice,
                                    const run_control* control);

}  // namespace duomap::apps
