// A line of a log that is an object of JSON, as nginx and Caddy write it.
#pragma once

#include "apps/tasks/weblog/log_line.hpp"
#include "apps/tasks/weblog/log_pattern.hpp"
#include "core/byte_view.hpp"
#include "core/text/find_byte.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// A name of JSON that means a field. Of two for one role at the same depth the one with the higher rank
/// counts.
struct json_log_name {
  std::string_view name;
  log_role role;
  int rank;
};

/// Names of nginx's variables (ngx_http_core_module, with escape=json) and of Caddy's access log.
inline constexpr std::array<json_log_name, 14> json_log_names{{
    {"remote_addr", log_role::client, 0},
    {"remote_ip", log_role::client, 0},
    {"client_ip", log_role::client, 1},  // Caddy's, behind trusted proxies
    {"time_iso8601", log_role::time, 0},
    {"time_local", log_role::time, 0},
    {"ts", log_role::time, 0},
    {"request_method", log_role::method, 0},
    {"method", log_role::method, 0},
    {"request_uri", log_role::url, 1},
    {"uri", log_role::url, 0},
    {"status", log_role::status, 0},
    {"http_user_agent", log_role::agent, 0},
    {"User-Agent", log_role::agent, 0},
    {"request", log_role::request, 0},  // nginx's request line; Caddy's is an object
}};

namespace detail {

/// The value that counts for a role: of several the one that the fewest objects and lists are around, of
/// those the one of the highest rank, of those the first.
struct json_log_value {
  static constexpr unsigned nowhere = ~0U;

  byte_view text;
  unsigned depth = nowhere;
  int rank = 0;

  [[nodiscard]] bool is_there() const { return depth != nowhere; }
  [[nodiscard]] bool yields_to(unsigned other_depth, int other_rank) const {
    return other_depth != depth ? other_depth < depth : other_rank > rank;
  }
};

/// The text or number at `at`, or the first of a list, as it is written. False for anything else, and when a
/// text does not end.
[[nodiscard]] inline bool json_value_at(byte_view text, std::uint64_t at, byte_view& value) {
  const auto skip_to_value = [text](std::uint64_t from) {
    while (from < text.size && (text[from] == ' ' || text[from] == '\t' || text[from] == '[')) ++from;
    return from;
  };
  at = skip_to_value(at);
  if (at >= text.size || text[at] == '{') return false;
  std::uint64_t end = at;
  if (text[at] == '"') {
    end = find_closing_quote(text, ++at);
    if (end >= text.size) return false;
  } else {
    while (end < text.size && text[end] != ',' && text[end] != '}' && text[end] != ']' && text[end] != ' ')
      ++end;
  }
  value = text.sub(at, end - at);
  return true;
}

}  // namespace detail

/// Takes a line apart. Names count at any depth, the outer ones before the inner ones; a value is a text, a
/// number or the first text of a list, as it is written: escapes stay. An entry has a client, a URL or a
/// request, and a status.
[[nodiscard]] inline log_line_kind parse_json_log_line(byte_view line, log_entry& entry) {
  byte_view text = line;
  if (text.size > 0 && text[text.size - 1] == '\r') --text.size;
  if (text.size == 0) return log_line_kind::blank;
  entry = {};
  entry.client = entry.time = entry.method = entry.url = entry.protocol = text.sub(0, 0);
  entry.referer = entry.agent = entry.client;
  entry.fault = log_fault::json;
  if (text[0] != '{' || text[text.size - 1] != '}') return log_line_kind::malformed;

  std::array<detail::json_log_value, log_role_count> found;
  unsigned depth = 0;
  for (std::uint64_t at = 0; at < text.size; ++at) {
    if (text[at] == '{' || text[at] == '[') ++depth;
    if (text[at] == '}' || text[at] == ']') --depth;
    if (text[at] != '"') continue;
    const std::uint64_t name_end = detail::find_closing_quote(text, at + 1);
    if (name_end >= text.size) return log_line_kind::malformed;
    const byte_view name = text.sub(at + 1, name_end - at - 1);
    at = name_end;
    std::uint64_t colon = name_end + 1;
    while (colon < text.size && (text[colon] == ' ' || text[colon] == '\t')) ++colon;
    if (colon >= text.size || text[colon] != ':') continue;
    for (const json_log_name& known : json_log_names) {
      if (name.text() != known.name) continue;
      detail::json_log_value& best = found[static_cast<std::size_t>(known.role)];
      byte_view value;
      if (best.yields_to(depth, known.rank) && detail::json_value_at(text, colon + 1, value))
        best = {value, depth, known.rank};
      break;
    }
  }
  const auto of_role = [&](log_role role) -> detail::json_log_value& {
    return found[static_cast<std::size_t>(role)];
  };
  // What a request line says, a field of its own may say better, unless that is further inside.
  const detail::json_log_value& request = of_role(log_role::request);
  for (const log_role role : {log_role::url, log_role::method}) {
    if (request.yields_to(of_role(role).depth, 1)) continue;
    of_role(role) = {};
  }
  const bool has_url = request.is_there() || of_role(log_role::url).is_there();
  // The request line first, for the others to overwrite.
  for (const log_role role : {log_role::request, log_role::client, log_role::time, log_role::method,
                              log_role::url, log_role::status, log_role::agent}) {
    if (of_role(role).is_there() && !detail::take_field(role, of_role(role).text, entry)) {
      entry.fault = detail::fault_of(role);
      return log_line_kind::malformed;
    }
  }
  const bool has_client = of_role(log_role::client).is_there();
  entry.fault = !has_client ? log_fault::client : !has_url ? log_fault::request : log_fault::status;
  return has_client && has_url && of_role(log_role::status).is_there() ? log_line_kind::entry
                                                                       : log_line_kind::malformed;
}

}  // namespace duomap::apps
