// A run as a page that explains it in pictures: one file that needs no network.
// host only
#pragma once

#include "apps/cli/summary.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace duomap::apps {

/// Spans of the timeline in a page: some 28 bytes each, so that a page stays below 600 KB.
inline constexpr std::size_t report_spans = 16'000;

/// JSON as the content of a script element of HTML: what could end the element, or begin a comment in it, is
/// escaped. `json` has such characters in strings only, as JSON does.
[[nodiscard]] std::string json_for_script(std::string_view json);

/// What no name in a run can know: scripts and styles of a page that do not have it do not count.
[[nodiscard]] std::string new_nonce();

/// The first ten rows of a result that begins with these bytes, long ones cut; empty when it is no text.
[[nodiscard]] std::string preview_of(std::string_view first);

/// What the page shows, as JSON. `command`: what was typed.
[[nodiscard]] std::string report_json(const run_summary& summary, const std::string& command,
                                      std::size_t most_spans = report_spans);

/// The page.
[[nodiscard]] std::string html_report(const run_summary& summary, const std::string& command);

}  // namespace duomap::apps
