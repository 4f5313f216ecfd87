// Finds the format of a log: formats compete on a sample of its lines.
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

/// The number of lines in a sample that fit a format.
struct format_fit {
  std::string format;
  std::uint64_t lines = 0;
};

struct log_recognition {
  std::optional<log_format> format;  ///< nothing if no line fits any format
  std::uint64_t lines = 0;           ///< the number of lines in the sample, without blank ones
  std::vector<format_fit> fits;      ///< first the chosen format, then others that some lines fit
  /// If two formats fit and read lines differently: a sentence that names both, and a line. Else empty.
  std::string conflict;
};

/// Tries each format on each line of the sample, with the prefixes that the lines have and without prefixes,
/// and compares client, page and status. Chooses the format that most lines fit. It is a conflict if another
/// format reads lines differently and fits nearly as many, or if many lines fit only the other format.
/// `wanted` is the format that the user names: then only the prefixes are found.
/// @throws usage_error when the log's own line "#Fields:" cannot be used
[[nodiscard]] log_recognition recognise_log(byte_view sample, const std::optional<log_format>& wanted = {},
                                            client_choice choice = {});

}  // namespace duomap::apps
