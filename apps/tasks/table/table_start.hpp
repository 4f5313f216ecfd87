// The lines in front of a table's header or first row, and the rules by which its lines are cut.
// host only
#pragma once

#include "apps/tasks/table/grouping.hpp"
#include "apps/tasks/table/line_changer.hpp"
#include "core/byte_view.hpp"

#include <cstdint>
#include <optional>

namespace duomap::apps {

struct table_start {
  std::uint64_t at = 0;           ///< the place of the header or of the first row
  std::optional<char> separator;  ///< of a first line such as "sep=;", which Excel reads and writes
};

/// Finds the first line that is neither empty nor a comment, nor the line "sep=" at the very beginning.
[[nodiscard]] table_start start_of(byte_view beginning, const grouping& asked);

/// The delimiter that the user or the line "sep=" gives; else the most frequent one in `line`, outside
/// quotes.
[[nodiscard]] char delimiter_of(byte_view line, const table_start& start, const grouping& asked);

/// The rules for the lines of delimited text that begins like this.
[[nodiscard]] line_rules rules_of(byte_view beginning, const grouping& asked);

}  // namespace duomap::apps
