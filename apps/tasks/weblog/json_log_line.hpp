// Parses a line of a log that is a JSON object, as nginx and Caddy write it.
// host only
#pragma once

#include "apps/tasks/weblog/json_text.hpp"
#include "apps/tasks/weblog/log_line.hpp"
#include "apps/tasks/weblog/log_pattern.hpp"
#include "core/byte_view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace duomap::apps {

/// A JSON name that means a field. If two names for one field are at the same depth, the higher rank counts.
struct json_log_name {
  std::string_view name;
  log_role role;
  int rank;
};

/// Names from nginx's variables (ngx_http_core_module, with escape=json) and from Caddy's access log.
inline constexpr std::array<json_log_name, 16> json_log_names{{
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
    {"http_x_forwarded_for", log_role::forwarded, 0},
    {"X-Forwarded-For", log_role::forwarded, 0},
    {"request", log_role::request, 0},  // nginx's request line; Caddy's is an object
}};

namespace detail {

/// The value that counts for a field: the value with the fewest objects and lists around it, among these the
/// value with the highest rank, among these the first.
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

}  // namespace detail

/// Takes a line apart. Names count at any depth; outer names win against inner names. A value is a text, a
/// number or the first text of a list. A value with escapes is decoded into memory of the thread, and stays
/// valid until the thread's next line. An entry has a client, a URL or a request, and a status.
[[nodiscard]] inline log_line_kind parse_json_log_line(byte_view line, log_entry& entry,
                                                       client_choice choice = {}) {
  byte_view text = line;
  if (text.size > 0 && text[text.size - 1] == '\r') --text.size;
  if (text.size == 0) return log_line_kind::blank;
  detail::clear_entry(text, entry);
  entry.fault = log_fault::json;
  if (text[0] != '{' || text[text.size - 1] != '}') return log_line_kind::malformed;

  std::array<detail::json_log_value, log_role_count> found;
  const bool is_whole = for_each_json_name(text, [&](byte_view name, unsigned depth, std::uint64_t at) {
    for (const json_log_name& known : json_log_names) {
      if (name.text() != known.name) continue;
      detail::json_log_value& best = found[static_cast<std::size_t>(known.role)];
      byte_view value;
      if (best.yields_to(depth, known.rank) && json_value_at(text, at, value))
        best = {value, depth, known.rank};
      break;
    }
    return true;
  });
  if (!is_whole) return log_line_kind::malformed;
  const auto of_role = [&](log_role role) -> detail::json_log_value& {
    return found[static_cast<std::size_t>(role)];
  };
  // A field for the URL or the method wins against the request line, unless the field is nested deeper.
  const detail::json_log_value& request = of_role(log_role::request);
  for (const log_role role : {log_role::url, log_role::method}) {
    if (request.yields_to(of_role(role).depth, 1)) continue;
    of_role(role) = {};
  }
  const bool has_url = request.is_there() || of_role(log_role::url).is_there();
  thread_local std::array<std::string, log_role_count> decoded;
  // The request line is taken first, so that the other fields overwrite its parts.
  for (const log_role role : {log_role::request, log_role::client, log_role::forwarded, log_role::time,
                              log_role::method, log_role::url, log_role::status, log_role::agent}) {
    if (!of_role(role).is_there()) continue;
    const byte_view value = decoded_json(of_role(role).text, decoded[static_cast<std::size_t>(role)]);
    entry.fault = detail::fault_of(role);
    if (!detail::take_field(role, value, choice, entry)) return log_line_kind::malformed;
  }
  const bool has_client = of_role(log_role::client).is_there();
  entry.fault = !has_client ? log_fault::client : !has_url ? log_fault::request : log_fault::status;
  if (!has_client || !has_url || !of_role(log_role::status).is_there()) return log_line_kind::malformed;
  detail::check_entry(choice, entry);
  return log_line_kind::entry;
}

}  // namespace duomap::apps
