// The options that page view count and page view rank share.
// host only
#pragma once

#include "apps/tasks/weblog/page_views.hpp"
#include "apps/tasks/weblog/view_choice.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// What the user asked for.
struct view_options {
  view_choice choice;
  /// What makes a view unique; nothing: every request is a view.
  std::optional<visitor> unique = visitor::client_and_agent;
  /// The format of the logs: a name or a description; empty: recognised.
  std::string log_format;
};

/// Adds to what counts: statuses of three digits or classes such as 2xx, and methods.
/// @throws usage_error naming what is neither
void add_statuses(view_choice& choice, const std::vector<std::string>& names);
void add_methods(view_choice& choice, const std::vector<std::string>& names);

/// Adds them; parsing the command fills `into`, which must outlive the parse.
void add_view_options(CLI::App& command, view_options& into);

/// What they mean, for the descriptions of both applications.
inline constexpr char view_definitions[] =
    R"(  record   a line of a log. Empty lines are no records. --log-format names or
           describes its format; if it is not given, each log has the format
           that most lines of its first 64 KiB fit, and all have one:
             common          client identity user [time] "request" status bytes
             combined        common, and "referer" "agent"
             vhost_combined  host[:port] and combined
             w3c, cloudfront the fields that its line #Fields: names: c-ip,
                             cs-method, cs-uri-stem, sc-status,
                             cs(User-Agent); the page is cs-uri-stem
             alb             of AWS's application load balancers
             json            an object a line, with nginx's variables as names
                             or as Caddy writes it; escapes stay as they are
             '%h %t "%r"'    Apache's LogFormat, as in its configuration
             '#Fields: ...'  a line of W3C's extended format
           What follows the agent after a space is ignored. A quote inside
           quotes is written \", as Apache does. GPUs read common and combined
  page     the request's URL as it was sent, between the method and the
           protocol; nothing is decoded, and case matters. The protocol is
           the text after the last space, if it is HTTP/1.1 or HTTP/2, with
           any digits; HTTP/0.9 sends none. --no-query cuts the URL off at
           its first question mark
  view     an entry whose request names a page and whose status and method
           are among those of --status and --method (all, if not given);
           the others are counted and reported. A URL that is nothing but
           a query names no page with --no-query
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
