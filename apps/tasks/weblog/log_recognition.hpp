// Finds the format of a log, by trying known formats on a sample of its lines.
// host only
#pragma once

#include "apps/tasks/weblog/log_client.hpp"
#include "apps/tasks/weblog/log_format.hpp"
#include "core/byte_view.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

/// A format, and the number of lines in the sample that fit it.
struct format_fit {
  std::string format;
  std::uint64_t lines = 0;
};

struct log_recognition {
  std::optional<log_format> format;  ///< nothing if no line fits any format
  std::uint64_t lines = 0;           ///< the number of lines in the sample that are not blank
  std::vector<format_fit> fits;      ///< the chosen format first, then others that some lines fit
  /// A sentence that names two formats and a line, if both fit and read lines differently; else empty.
  std::string conflict;
};

/// Tries each format on each line of the sample, with and without the prefixes of the lines. Compares client,
/// page and status, and chooses the format that most lines fit. There is a conflict if another format fits
/// nearly as well and reads lines differently, or if many lines fit only the other format. `wanted`: the
/// format that the user names; only the prefixes are then found.
/// @throws usage_error when the log's own line "#Fields:" cannot be used
[[nodiscard]] log_recognition recognise_log(byte_view sample, const std::optional<log_format>& wanted = {},
                                            client_choice choice = {});

}  // namespace duomap::apps
