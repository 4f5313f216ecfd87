// Sources of tables whose lines are changed while they are read: fields in quotes may go over the end of a
// line, and carriage returns alone may end lines.
// host only
#pragma once

#include "apps/tasks/table/line_changer.hpp"
#include "core/input/input.hpp"
#include "core/input/source.hpp"
#include "core/run_control.hpp"

#include <memory>

namespace duomap::apps {

/// The text of `from` as line_changer changes it, as a stream. A source whose own first line does not end at
/// a carriage return alone keeps its carriage returns. With joins_lines the stream throws input_error at a
/// byte joined_line_feed.
[[nodiscard]] std::unique_ptr<source> with_changed_lines(std::unique_ptr<source> from,
                                                         const line_rules& rules);

/// Reads all sources to see whether fields in quotes go over the end of lines: some do, and all of them close
/// in front of a delimiter or a line end. False if a source has a byte joined_line_feed.
/// @throws input_error, interrupted as the streams do
[[nodiscard]] bool fields_go_over_lines(const input& tables, const line_rules& rules,
                                        const run_control* control);

}  // namespace duomap::apps
