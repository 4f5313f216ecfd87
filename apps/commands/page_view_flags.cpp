// Adds the options of page view count and page view rank to a command.
#include "apps/commands/page_view_flags.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

void add_page_view_options(CLI::App& command, view_options& into) {
  command
      .add_option_function<std::string>(
          "--unique",
          [&into](const std::string& what) {
            into.unique = what == "none"     ? std::nullopt
                          : what == "client" ? std::optional(visitor::client)
                                             : std::optional(visitor::client_and_agent);
          },
          "count a page once for each: none (every request),\nclient, client+agent (the default)")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"none", "client", "client+agent"}))
      ->take_last();
  command
      .add_option_function<std::vector<std::string>>(
          "--status", [&into](const std::vector<std::string>& names) { add_statuses(into.choice, names); },
          "statuses that count, as 200,304 or 2xx (default: all)")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all();
  command
      .add_option_function<std::vector<std::string>>(
          "--method", [&into](const std::vector<std::string>& names) { add_methods(into.choice, names); },
          "methods that count, as GET,POST (default: all)")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all();
  command
      .add_option("--log-format", into.log_format,
                  "the format of the logs: a name or Apache's\nLogFormat (default: recognised)")
      ->type_name("FORMAT")
      ->take_last();
  command
      .add_option_function<std::string>(
          "--forwarded", [&into](const std::string& text) { into.forwarded = client_choice_called(text); },
          "the client of X-Forwarded-For, or of a list in the\nclient's place: first, last, or its number, "
          "from -1\nbackwards (default: a list is no client)")
      ->type_name("WHICH")
      ->take_last();
  command.add_flag_callback(
      "--no-query", [&into] { into.choice.query_belongs = false; },
      "what follows a question mark is no part of a page");
}

}  // namespace duomap::apps
