// The page of a report before it is filled; the build makes it of the files in apps/cli/report_page.
#pragma once

#include <string_view>

namespace duomap::apps {

/// HTML with {{nonce}} where scripts and styles are allowed, and {{data}} where report_json() goes.
extern const std::string_view report_page;

/// The style of that page.
extern const std::string_view report_style;

}  // namespace duomap::apps
