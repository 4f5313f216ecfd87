// The options that page view count and page view rank share.
// host only
#pragma once

#include "apps/tasks/weblog/page_views.hpp"
#include "apps/tasks/weblog/view_choice.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace CLI {
class App;
}

namespace duomap::apps {

/// What the user asked for.
struct view_options {
  view_choice choice;
  /// What makes a view unique; nothing: every request is a view.
  std::optional<visitor> unique = visitor::client_and_agent;
};

/// Adds them; parsing the command fills `into`, which must outlive the parse.
void add_view_options(CLI::App& command, view_options& into);

/// What they mean, for the descriptions of both applications.
inline constexpr char view_definitions[] =
    R"(  record   a line of a log in Apache's common or combined format:
             client identity user [time] "request" status bytes
             client identity user [time] "request" status bytes "referer" "agent"
           What follows the agent after a space is ignored. A quote inside
           quotes is written \", as Apache does. Empty lines are no records.
  page     the request's URL as it was sent, between the method and the
           protocol (HTTP/0.9 sends none), with its query unless --no-query
           is given; nothing is decoded, and case matters
  view     an entry whose request names a URL and whose status and method
           are among those of --status and --method (all, if not given);
           the others are counted and reported
  visitor  --unique client+agent (the default): views of a page by the same
           client with the same agent count once; --unique client: by the
           same client; --unique none: every request counts
)";

/// A description: what they mean between two texts.
template <std::size_t Before, std::size_t Behind>
[[nodiscard]] consteval auto around_view_definitions(const char (&before)[Before],
                                                     const char (&behind)[Behind]) {
  std::array<char, Before + sizeof view_definitions + Behind - 3> text{};  // without the ends of strings
  char* const middle = std::copy_n(before, Before - 1, text.data());
  std::copy_n(behind, Behind - 1, std::copy_n(view_definitions, sizeof view_definitions - 1, middle));
  return text;
}

}  // namespace duomap::apps
