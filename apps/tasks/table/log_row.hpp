// The names of the columns of a log.
// host only
#pragma once

#include "apps/tasks/table/log_fields.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace duomap::apps {

/// The order of the columns of a log.
enum class log_column : unsigned char {
  client,
  vhost,
  identity,
  user,
  time,
  request,
  method,
  url,
  path,
  query,
  protocol,
  status,
  bytes,
  referer,
  agent,
};
inline constexpr std::array<std::string_view, log_columns> log_column_names{
    "client", "vhost", "identity", "user",   "time",  "request", "method", "url",
    "path",   "query", "protocol", "status", "bytes", "referer", "agent"};

/// The column with this name; "host" is the client. Nothing for another name.
[[nodiscard]] std::optional<std::uint32_t> log_column_called(std::string_view name);

}  // namespace duomap::apps
