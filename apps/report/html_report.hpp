// Makes a page that explains a run in pictures: one file that needs no network.
// host only
#pragma once

#include "apps/report/summary.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace duomap::apps {

/// The most spans of the timeline in a page. A span takes some 28 bytes, so that a page stays below 600 KB.
inline constexpr std::size_t report_spans = 16'000;

/// Makes JSON the content of a script element of HTML: escapes the characters that could end the element or
/// begin a comment. JSON has such characters in strings only.
[[nodiscard]] std::string json_for_script(std::string_view json);

/// A random word for the page's scripts and styles. Browsers ignore scripts and styles without this word,
/// such as those in the name of a file.
[[nodiscard]] std::string new_nonce();

/// The first ten rows of a result that begins with these bytes. Long rows are cut. Empty if the bytes are no
/// text.
[[nodiscard]] std::string preview_of(std::string_view first);

/// The content of the page as JSON. `command`: the command line as typed.
[[nodiscard]] std::string report_json(const run_summary& summary, const std::string& command,
                                      std::size_t most_spans = report_spans);

/// The page as one text of HTML.
[[nodiscard]] std::string html_report(const run_summary& summary, const std::string& command);

}  // namespace duomap::apps
