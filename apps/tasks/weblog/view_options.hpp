// Parses the options of page view count and page view rank.
// host only
#pragma once

#include "apps/tasks/weblog/log_client.hpp"
#include "apps/tasks/weblog/pageviewcount.hpp"
#include "apps/tasks/weblog/view_choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// The user's choices.
struct view_options {
  view_choice choice;
  /// The fields that identify a visitor; nothing: every request is a view.
  std::optional<visitor> unique = visitor::client_and_agent;
  /// The format of the logs: a name or a description; empty: the format is recognised.
  std::string log_format;
  /// Which address of a list is the client; by default a list is no client.
  client_choice forwarded;
};

/// Add statuses (of three digits, or classes such as 2xx) and methods to the choice.
/// @throws usage_error, which names the word that is no status or method
void add_statuses(view_choice& choice, const std::vector<std::string>& names);
void add_methods(view_choice& choice, const std::vector<std::string>& names);

/// Parses the value of --forwarded: "first", "last", or a number, from -1 on counted from the end.
/// @throws usage_error for anything else
[[nodiscard]] client_choice client_choice_called(const std::string& text);

}  // namespace duomap::apps
