// The layout of a web server's log: its columns are the fields of its lines.
// host only
#pragma once

#include "apps/tasks/table/log_row.hpp"
#include "apps/tasks/table/table_layout.hpp"
#include "apps/tasks/table/table_sample.hpp"

#include <string>
#include <string_view>

namespace duomap::apps {

/// Finds the layout. The format is that of asked.format.
/// @throws usage_error when there are too many columns, or a column that logs do not have
[[nodiscard]] table_layout find_log_layout(const table_sample& sample, const grouping& asked);

/// The fault of a line of a log, for messages.
[[nodiscard]] std::string log_fault_of(std::string_view line, log_host_place host);

}  // namespace duomap::apps
