#include "apps/commands/view_options.hpp"

#include "core/error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

void add_statuses(view_choice& choice, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto digit = [&](std::size_t i) {
      return name[i] >= '0' && name[i] <= '9';
    };
    const bool whole_class = name.size() == 3 && digit(0) && name.substr(1) == "xx";
    if (!whole_class && !(name.size() == 3 && digit(0) && digit(1) && digit(2))) {
      throw usage_error("--status takes numbers of three digits or classes such as 2xx, not '" + name + "'");
    }
    const unsigned first =
        whole_class ? static_cast<unsigned>(name[0] - '0') * 100 : static_cast<unsigned>(std::stoul(name));
    for (unsigned status = first; status < first + (whole_class ? 100 : 1); ++status)
      choice.add_status(status);
  }
}

void add_methods(view_choice& choice, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.empty() || name.size() > view_choice::method_bytes) {
      throw usage_error("--method takes names of 1 to " + std::to_string(view_choice::method_bytes) +
                        " bytes, not '" + name + "'");
    }
    if (choice.method_count == view_choice::most_methods) {
      throw usage_error("--method takes up to " + std::to_string(view_choice::most_methods) +
                        " methods, and '" + name + "' is one more");
    }
    std::string capitals = name;
    std::ranges::transform(capitals, capitals.begin(), [](char c) {
      return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    });
    // RFC 9110, section 9.1, and RFC 5789.
    constexpr std::array<std::string_view, 9> methods{"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                                      "CONNECT", "OPTIONS", "TRACE", "PATCH"};
    if (name != capitals && std::ranges::find(methods, capitals) != methods.end()) {
      throw usage_error("--method '" + name + "' would match no request: case matters, and logs have " +
                        capitals + "; give --method " + capitals);
    }
    view_choice::method_name& added = choice.methods[choice.method_count++];
    added.size = static_cast<std::uint8_t>(name.size());
    std::ranges::copy(name, added.text);
  }
}

void add_view_options(CLI::App& command, view_options& into) {
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
  command.add_flag_callback(
      "--no-query", [&into] { into.choice.query_belongs = false; },
      "what follows a question mark is no part of a page");
}

}  // namespace duomap::apps
