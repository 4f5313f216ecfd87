// The fields of a line of a web server's log.
#pragma once

#include "apps/tasks/table/column_plan.hpp"

#include <array>

namespace duomap::apps {

inline constexpr unsigned log_columns = 15;     ///< enum log_column (apps/tasks/table/log_row.hpp)
inline constexpr unsigned iso_time_bytes = 25;  ///< of a time such as "2000-10-10T13:55:36-07:00"

struct log_fields {
  std::array<byte_view, log_columns> text = {};  ///< empty where the log has "-", or no such field
  const char* fault = "";                        ///< the part that a malformed line lacks
};

enum class log_row_kind : unsigned char { entry, blank, malformed };

/// Takes a line apart, on a CPU. Fields are views of the line; the time is written to `iso_time`, which has
/// room for iso_time_bytes, if it has Apache's usual form.
[[nodiscard]] log_row_kind read_log_row(byte_view line, log_host_place host, char* iso_time,
                                        log_fields& found);

}  // namespace duomap::apps
