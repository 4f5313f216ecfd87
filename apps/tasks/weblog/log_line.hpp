// Parses a line of a web server's log in Apache's common or combined format, without copying it.
#pragma once

#include "apps/tasks/weblog/log_client.hpp"
#include "apps/tasks/weblog/normal_form.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/compare.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap::apps {

enum class log_line_kind {
  entry,
  blank,      ///< empty, or only a carriage return
  malformed,  ///< in none of the formats
};

/// The part of a format that a malformed line lacks.
enum class log_fault : std::uint8_t {
  client,
  client_list,   ///< a list of clients, but no client_choice
  other_client,  ///< a word between the client and the time looks like a client
  time,
  request,
  status,
  bytes,
  referer_and_agent,
  fields,  ///< the text before, between or behind fields (apps/tasks/weblog/log_pattern.hpp)
  json,    ///< an object of JSON
  prefix,  ///< the prefix of each line of the log (apps/tasks/weblog/log_prefix.hpp)
};

/// The parts of an entry: views of the text as written. Compare them in their normal form, which key_writer
/// and other functions make (apps/tasks/weblog/normal_form.hpp).
struct log_entry {
  log_client client;
  byte_view time;       ///< the text between the brackets
  byte_view method;     ///< empty when the request names no URL
  byte_view url;        ///< the request's target as it was sent; not empty if the method is not
  byte_view protocol;   ///< "HTTP/1.1"; empty for HTTP/0.9
  byte_view referer;    ///< empty in common format
  byte_view agent;      ///< empty in common format
  byte_view forwarded;  ///< the field X-Forwarded-For
  unsigned status = 0;
  bool escaped = false;                 ///< method, URL and agent may have the log's escapes
  log_fault fault = log_fault::client;  ///< why the line is malformed
};

namespace detail {

/// The end of a quoted text that begins at `from`: the first quote that is not escaped by a backslash.
/// text.size if there is none.
[[nodiscard]] DUOMAP_HD inline std::uint64_t find_closing_quote(byte_view text, std::uint64_t from) {
  std::uint64_t at = from;
  while ((at = find_byte(text, '"', at)) < text.size) {
    std::uint64_t before = at;
    while (before > from && text[before - 1] == '\\') --before;
    if ((at - before) % 2 == 0) break;
    ++at;
  }
  return at;
}

/// The number of bytes of the protocol at the end of a request, such as HTTP/2 or HTTP/1.1, behind a space; 0
/// if there is none.
[[nodiscard]] DUOMAP_HD inline std::uint64_t protocol_bytes(byte_view request) {
  constexpr char name[] = {'H', 'T', 'T', 'P', '/'};
  for (const std::uint64_t size : {8u, 6u}) {
    if (request.size <= size || request[request.size - size - 1] != ' ') continue;
    const byte_view last = request.sub(request.size - size, size);
    if (equal_bytes(last.data, name, sizeof name) && is_digit(last[5]) &&
        (size == 6 || (last[6] == '.' && is_digit(last[7]))))
      return size;
  }
  return 0;
}

/// Whether `name` is a token (RFC 9110, section 5.6.2). The dash is not, because logs write it for no method.
[[nodiscard]] DUOMAP_HD inline bool is_method(byte_view name) {
  for (std::uint64_t i = 0; i < name.size; ++i) {
    const char c = name[i];
    if (is_letter(c)) continue;
    if (c <= ' ' || c >= 0x7F || c == '"' || c == '(' || c == ')' || c == ',' || c == '/' ||
        (c >= ':' && c <= '@') || (c >= '[' && c <= ']') || c == '{' || c == '}')
      return false;
  }
  return !name.empty() && !(name.size == 1 && name[0] == '-');
}

/// Whether `url` can be the target of a request: a path, a query, or a URL with its scheme; also * for
/// OPTIONS, or host and port for CONNECT (RFC 9112, section 3.2).
[[nodiscard]] DUOMAP_HD inline bool is_target(byte_view url, byte_view method) {
  if (url.empty()) return false;
  if (url[0] == '/' || url[0] == '?' || scheme_bytes(url) > 0) return true;
  constexpr char options[] = {'O', 'P', 'T', 'I', 'O', 'N', 'S'};
  constexpr char connect[] = {'C', 'O', 'N', 'N', 'E', 'C', 'T'};
  const auto is = [method](const char(&name)[7]) {
    return method.size == sizeof name && equal_bytes(method.data, name, sizeof name);
  };
  if (url[0] == '*') return url.size == 1 && (method.empty() || is(options));
  return is(connect) && client_in(url).form != client_form::none;
}

/// Sets method, URL and protocol from a request. Leaves them empty when the text is no request, such as "-"
/// or a TLS handshake. A request without a protocol is HTTP/0.9, and its URL has no space.
DUOMAP_HD inline void split_request(byte_view request, log_entry& entry) {
  const std::uint64_t space = find_byte(request, ' ');
  if (space == 0 || space == request.size) return;
  const std::uint64_t protocol = protocol_bytes(request);
  const std::uint64_t begin = space + 1;
  const std::uint64_t end = request.size - (protocol > 0 ? protocol + 1 : 0);
  if (begin >= end || request[begin] == ' ') return;
  const byte_view method = request.sub(0, space);
  const byte_view url = request.sub(begin, end - begin);
  if (!is_method(method) || !is_target(url, method)) return;
  if (protocol == 0 && find_byte(url, ' ') < url.size) return;
  entry.method = method;
  entry.url = url;
  entry.protocol = request.sub(request.size - protocol, protocol);
}

/// Sets the client from its field. Returns false when the field has no client, and sets the entry's fault.
[[nodiscard]] DUOMAP_HD inline bool take_client(byte_view field, client_choice choice, log_entry& entry) {
  entry.client = client_in(field);
  if (entry.client.form != client_form::none) return true;
  entry.fault = log_fault::client;
  if (find_byte(field, ',') == field.size) return false;
  const log_client one = client_in_list(field, choice.which == 0 ? client_choice{1} : choice);
  if (one.form == client_form::none) return false;
  entry.fault = log_fault::client_list;
  entry.client = one;
  return choice.which != 0;
}

/// The end of the client, or of the list of clients with commas, at the beginning of a text.
[[nodiscard]] DUOMAP_HD inline std::uint64_t end_of_client(byte_view text) {
  std::uint64_t end = find_byte(text, ' ');
  while (end > 0 && end < text.size && text[end - 1] == ',') end = find_byte(text, ' ', end + 1);
  return end;
}

/// Whether the words between client and time may be a user. An address is no user. If the client is a name, a
/// word that looks like a client is no user either.
[[nodiscard]] DUOMAP_HD inline bool is_user(byte_view user, const log_client& client) {
  if (user.size == 1 && user[0] == '-') return true;
  const bool is_one_word = find_byte(user, ' ') == user.size;
  for (std::uint64_t at = 0; at < user.size;) {
    const std::uint64_t end = find_byte(user, ' ', at);
    const byte_view word = user.sub(at, end - at);
    if (!is_one_word && word.size == 1 && word[0] == '-') return false;
    const log_client one = client_in(word);
    if (is_address(one) || (client.form == client_form::name && looks_like_client(one))) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace detail

/// The word between the client and the user.
enum class log_second_word : std::uint8_t {
  identity,  ///< identity of RFC 1413, mostly -; it does not look like a client
  host,      ///< lighttpd's virtual host; the client then must be an address
};

/// Takes a line apart:
///   client identity user [time] "request" status bytes
///   client identity user [time] "request" status bytes "referer" "agent"
/// A space and more fields may follow behind the agent. The user may contain spaces, and brackets that do not
/// follow a space. In quoted texts \" is no end. `entry` is complete when the result is `entry`. Source:
/// Apache HTTP Server 2.4, "Log Files" and mod_log_config ("Format Notes" on escaping).
template <log_second_word Second = log_second_word::identity>
[[nodiscard]] DUOMAP_HD inline log_line_kind parse_log_line(byte_view line, log_entry& entry,
                                                            client_choice choice = {}) {
  byte_view text = line;
  if (text.size > 0 && text[text.size - 1] == '\r') --text.size;
  if (text.size == 0) return log_line_kind::blank;
  const auto is = [text](std::uint64_t at, char c) {
    return at < text.size && text[at] == c;
  };
  const auto lacks = [&entry](log_fault what) {
    entry.fault = what;
    return log_line_kind::malformed;
  };

  const std::uint64_t identity = detail::end_of_client(text) + 1;
  if (identity == 1 || identity > text.size) return lacks(log_fault::client);
  if (!detail::take_client(text.sub(0, identity - 1), choice, entry)) return log_line_kind::malformed;
  const std::uint64_t user = find_byte(text, ' ', identity) + 1;
  std::uint64_t open = find_byte(text, '[', user);
  while (open < text.size && text[open - 1] != ' ') open = find_byte(text, '[', open + 1);
  // Neither identity nor user is empty, and a space stands behind each.
  if (open >= text.size || user == identity + 1 || open < user + 2) return lacks(log_fault::time);
  const byte_view second = text.sub(identity, user - 1 - identity);
  if (second.size != 1 || second[0] != '-') {
    const log_client one = client_in(second);
    if (Second == log_second_word::identity ? looks_like_client(one)
                                            : one.form == client_form::none || !is_address(entry.client))
      return lacks(log_fault::other_client);
  }
  if (!detail::is_user(text.sub(user, open - 1 - user), entry.client)) return lacks(log_fault::other_client);
  const std::uint64_t close = find_byte(text, ']', open + 1);
  entry.time = text.sub(open + 1, close - open - 1);
  // A '[' in the time means that two torn lines may look like one. A time of the usual form is never torn.
  const bool is_usual = entry.time.size == 26 && entry.time[2] == '/' && entry.time[6] == '/' &&
                        entry.time[11] == ':' && entry.time[20] == ' ';
  if (!is_usual && find_byte(entry.time, '[') < entry.time.size) return lacks(log_fault::time);
  if (!is(close + 1, ' ') || !is(close + 2, '"')) return lacks(log_fault::request);

  const std::uint64_t request = close + 3;
  const std::uint64_t request_end = detail::find_closing_quote(text, request);
  const std::uint64_t status = request_end + 2;
  if (!is(status - 1, ' ') || !is(status + 3, ' ')) return lacks(log_fault::status);
  entry.status = 0;
  for (std::uint64_t i = status; i < status + 3; ++i) {
    if (!detail::is_digit(text[i])) return lacks(log_fault::status);
    entry.status = entry.status * 10 + static_cast<unsigned>(text[i] - '0');
  }
  std::uint64_t at = status + 4;
  if (is(at, '-')) {
    ++at;
  } else {
    const std::uint64_t bytes = at;
    while (at < text.size && detail::is_digit(text[at])) ++at;
    if (at == bytes) return lacks(log_fault::bytes);
  }

  entry.method = entry.url = entry.protocol = entry.referer = entry.agent = entry.forwarded = text.sub(at, 0);
  entry.escaped = true;
  if (at < text.size) {
    const std::uint64_t referer = at + 2;
    if (!is(at, ' ') || !is(at + 1, '"')) return lacks(log_fault::referer_and_agent);
    const std::uint64_t referer_end = detail::find_closing_quote(text, referer);
    const std::uint64_t agent = referer_end + 3;
    if (!is(agent - 2, ' ') || !is(agent - 1, '"')) return lacks(log_fault::referer_and_agent);
    const std::uint64_t agent_end = detail::find_closing_quote(text, agent);
    if (agent_end >= text.size || (agent_end + 1 < text.size && text[agent_end + 1] != ' '))
      return lacks(log_fault::referer_and_agent);
    entry.referer = text.sub(referer, referer_end - referer);
    entry.agent = text.sub(agent, agent_end - agent);
    if (choice.which != 0 && is(agent_end + 2, '"')) {
      // nginx's default format has X-Forwarded-For in this place.
      const std::uint64_t list = agent_end + 3;
      const log_client client =
          client_in_list(text.sub(list, detail::find_closing_quote(text, list) - list), choice);
      if (client.form != client_form::none) entry.client = client;
    }
  }
  detail::split_request(text.sub(request, request_end - request), entry);
  return log_line_kind::entry;
}

}  // namespace duomap::apps
