// Reads the text of a function that makes keys: "day(time)", "prefix(ip, 24)".
// host only
#pragma once

#include "apps/tasks/table/key_function.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// The call of a function, and its column.
struct key_call {
  std::string column;
  key_function function;
};

/// Nothing if the text is no call of a function of keys.
/// @throws usage_error for a call with wrong arguments
[[nodiscard]] std::optional<key_call> parse_key_call(const std::string& text);

/// The column that a text of --by reads: that of the call, else the text itself.
[[nodiscard]] std::string column_of_key(const std::string& text);

/// The texts that a function can read, for messages: "it reads dates ...".
[[nodiscard]] std::string texts_of(const key_function& function);

/// A sentence about the functions there are, if a text looks like a call; else nothing.
[[nodiscard]] std::string hint_of_calls(std::string_view text);

/// Joins the pieces of a list that was split at all commas, so that commas within parentheses split nothing.
/// Pieces whose parentheses never close stay as they are.
[[nodiscard]] std::vector<std::string> join_calls(const std::vector<std::string>& pieces);

}  // namespace duomap::apps
