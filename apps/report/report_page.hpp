// Declares the page of a report before it is filled. The build makes the page from the files in
// apps/report/report_page.
#pragma once

#include <string_view>

namespace duomap::apps {

/// The page as HTML. Scripts and styles have {{nonce}}, and {{data}} stands in the place of report_json().
extern const std::string_view report_page;

/// The style of that page.
extern const std::string_view report_style;

}  // namespace duomap::apps
