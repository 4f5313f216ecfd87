// A line of a log that is an object of JSON, as nginx and Caddy write it.
#pragma once

#include "apps/tasks/weblog/log_line.hpp"
#include "apps/tasks/weblog/log_pattern.hpp"
#include "core/byte_view.hpp"
#include "core/text/find_byte.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// A name of JSON that means a field. Of two for one role the one with the higher rank counts.
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

/// Takes a line apart. Names count at any depth; a value is a text, a number or the first text of a list, as
/// it is written: escapes stay. An entry has a client, a URL or a request, and a status.
[[nodiscard]] inline log_line_kind parse_json_log_line(byte_view line, log_entry& entry) {
  byte_view text = line;
  if (text.size > 0 && text[text.size - 1] == '\r') --text.size;
  if (text.size == 0) return log_line_kind::blank;
  entry = {};
  entry.client = entry.time = entry.method = entry.url = entry.protocol = text.sub(0, 0);
  entry.referer = entry.agent = entry.client;
  entry.fault = log_fault::json;
  if (text[0] != '{' || text[text.size - 1] != '}') return log_line_kind::malformed;

  const auto skip_spaces = [text](std::uint64_t at) {
    while (at < text.size && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at;
  };
  int rank_of_client = -1;
  int rank_of_url = -1;
  bool has_status = false;
  for (std::uint64_t at = find_byte(text, '"', 0); at < text.size; at = find_byte(text, '"', at)) {
    const std::uint64_t name_end = detail::find_closing_quote(text, at + 1);
    if (name_end >= text.size) return log_line_kind::malformed;
    const byte_view name = text.sub(at + 1, name_end - at - 1);
    at = skip_spaces(name_end + 1);
    if (at >= text.size || text[at] != ':') continue;
    at = skip_spaces(at + 1);
    if (at < text.size && text[at] == '[') at = skip_spaces(at + 1);
    if (at >= text.size || text[at] == '{') continue;
    byte_view value;
    if (text[at] == '"') {
      const std::uint64_t end = detail::find_closing_quote(text, at + 1);
      if (end >= text.size) return log_line_kind::malformed;
      value = text.sub(at + 1, end - at - 1);
      at = end + 1;
    } else {
      const std::uint64_t begin = at;
      while (at < text.size && text[at] != ',' && text[at] != '}' && text[at] != ']' && text[at] != ' ') ++at;
      value = text.sub(begin, at - begin);
    }
    for (const json_log_name& known : json_log_names) {
      if (name.text() != known.name) continue;
      if (known.role == log_role::client && known.rank <= rank_of_client) break;
      if (known.role == log_role::url && known.rank <= rank_of_url) break;
      // What a request line says, a field of its own may have said better.
      if (known.role == log_role::request && rank_of_url >= 0) break;
      if (!detail::take_field(known.role, value, entry)) {
        entry.fault = detail::fault_of(known.role);
        return log_line_kind::malformed;
      }
      if (known.role == log_role::client) rank_of_client = known.rank;
      if (known.role == log_role::url) rank_of_url = known.rank;
      if (known.role == log_role::request) rank_of_url = 0;
      if (known.role == log_role::status) has_status = true;
      break;
    }
  }
  entry.fault = rank_of_client < 0 ? log_fault::client
                : rank_of_url < 0  ? log_fault::request
                                   : log_fault::status;
  return rank_of_client >= 0 && rank_of_url >= 0 && has_status ? log_line_kind::entry
                                                               : log_line_kind::malformed;
}

}  // namespace duomap::apps
