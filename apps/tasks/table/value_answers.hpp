// The aggregates that need the different values of a group.
// host only
#pragma once

#include "apps/tasks/table/grouping.hpp"
#include "apps/tasks/table/value_rows.hpp"
#include "core/output/table_writer.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

/// The value of each of the aggregates over one group, whose rows are in the order of their numbers. `type`
/// is nothing if the values are texts. `joined`: their joined_line_feed stands for line feeds. A mode of
/// numbers is left as the state has it, a std::int64_t.
[[nodiscard]] std::vector<cell> answers_of(std::span<const value_row> group,
                                           std::span<const aggregate> aggregates,
                                           const std::optional<number_type>& type, bool joined);

/// An answer for output. `text` holds a number that has too many digits for a double, or a text with line
/// feeds for joined_line_feed.
[[nodiscard]] cell answer_cell(const aggregate& asked, const cell& answer,
                               const std::optional<number_type>& type, std::string& text,
                               bool joined = false);

/// An answer for comparing rows; nothing if it is missing, or a text.
[[nodiscard]] std::optional<long double> answer_order(const aggregate& asked, const cell& answer,
                                                      const std::optional<number_type>& type);

}  // namespace duomap::apps
