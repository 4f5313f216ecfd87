// Adds the options that page view count and page view rank share.
// host only
#pragma once

#include "apps/tasks/weblog/view_options.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace CLI {
class App;
}

namespace duomap::apps {

/// Adds the options; parsing the command line fills `into`, which must outlive the parse.
void add_page_view_options(CLI::App& command, view_options& into);

/// Definitions of records, pages and views, for the descriptions of both applications.
inline constexpr char view_definitions[] =
    R"(  record   a line of a log. Empty lines are no records. --log-format names or
           describes its format. If it is not given, all formats compete on
           the first 64 KiB of each log: the one that most lines fit is taken,
           and the summary says how many. Two that fit and read lines
           differently are an error that names both. All logs have one format:
             common          client identity user [time] "request" status bytes
             combined        common, and "referer" "agent"
             vhost_combined  host[:port] and common or combined
             lighttpd        combined, with the host in the identity's place
             w3c, cloudfront the fields that its line #Fields: names: c-ip,
                             cs-method, cs-uri-stem, sc-status,
                             cs(User-Agent); the page is cs-uri-stem
             alb             of AWS's application load balancers
             json            an object a line, with nginx's variables as names
                             or as Caddy writes it
             '%h %t "%r"'    Apache's LogFormat, as in its configuration
             '#Fields: ...'  a line of W3C's extended format
           What follows the agent after a space is ignored. A quote inside
           quotes is written \", as Apache does. What syslog, journald and
           container runtimes write before each line is found and left out.
           GPUs read common and combined without such
  client   an address of IPv4 or IPv6, or a host name, with or without a port,
           which is left out; between it and the time nothing looks like one.
           Addresses are compared in the form of RFC 5952, ::ffff:192.0.2.1 as
           192.0.2.1, names in small letters. --forwarded says which address
           of X-Forwarded-For, or of a list in the client's place, counts
  page     the request's URL: escapes of the log are undone, then it is
           normalised by RFC 3986 (%7e is ~, %2f is %2F, /a/./b/../c is /a/c,
           HTTP://Host:80/ is http://host/); case matters elsewhere.
           --no-query cuts it off at its first question mark
  view     an entry whose request names a page and whose status and method
           are among those of --status and --method (all, if not given);
           the others are counted and reported. A request has a method that is
           a token of RFC 9110, and a URL; HTTP/0.9 sends no protocol. "-", TLS
           or SSH sent to the server are none. A URL that is nothing but a
           query names no page with --no-query
  visitor  --unique client+agent (the default): views of a page by the same
           client with the same agent count once; --unique client: by the
           same client; --unique none: every request counts
)";

/// A description: view_definitions between two texts.
template <std::size_t Before, std::size_t Behind>
[[nodiscard]] consteval auto around_view_definitions(const char (&before)[Before],
                                                     const char (&behind)[Behind]) {
  // The strings' terminating zeros are left out.
  std::array<char, Before + sizeof view_definitions + Behind - 3> text{};
  char* const middle = std::copy_n(before, Before - 1, text.data());
  std::copy_n(behind, Behind - 1, std::copy_n(view_definitions, sizeof view_definitions - 1, middle));
  return text;
}

}  // namespace duomap::apps
