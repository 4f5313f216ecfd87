// A line of a web server's log, Apache's common or combined format, taken apart where it lies.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/compare.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap::apps {

enum class log_line_kind {
  entry,
  blank,      ///< nothing, or nothing but a carriage return
  malformed,  ///< not of either format
};

/// What is wrong with a malformed line: what was looked for, and is not there.
enum class log_fault : std::uint8_t {
  client,
  time,
  request,
  status,
  bytes,
  referer_and_agent,
  fields,  ///< the text before, between or behind fields (apps/tasks/weblog/log_pattern.hpp)
  json,    ///< an object of JSON
};

/// The parts of an entry; views into the line, escapes as they were written.
struct log_entry {
  byte_view client;    ///< name or address, IPv4 or IPv6
  byte_view time;      ///< what stands between the brackets
  byte_view method;    ///< empty when the request names no URL
  byte_view url;       ///< the request's target as it was sent, never empty when the method is not
  byte_view protocol;  ///< "HTTP/1.1"; empty for HTTP/0.9, which sends none
  byte_view referer;   ///< empty in common format
  byte_view agent;     ///< empty in common format
  unsigned status = 0;
  log_fault fault = log_fault::client;  ///< of a malformed line
};

namespace detail {

/// Where the quoted text that begins at `from` ends: at a quote without a backslash before it that is not
/// itself escaped; text.size when it never does.
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

[[nodiscard]] DUOMAP_HD constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Bytes of the protocol with which a request ends, behind a space: HTTP/ and a digit, or HTTP/, a digit, a
/// dot and a digit; 0 without one.
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

/// Method, URL and protocol of a request; leaves them empty when it names no URL ("-", a handshake of TLS).
DUOMAP_HD inline void split_request(byte_view request, log_entry& entry) {
  const std::uint64_t method = find_byte(request, ' ');
  if (method == 0 || method == request.size) return;
  const std::uint64_t protocol = protocol_bytes(request);
  const std::uint64_t begin = method + 1;
  const std::uint64_t end = request.size - (protocol > 0 ? protocol + 1 : 0);
  if (begin >= end || request[begin] == ' ') return;
  entry.method = request.sub(0, method);
  entry.url = request.sub(begin, end - begin);
  entry.protocol = request.sub(request.size - protocol, protocol);
}

}  // namespace detail

/// Takes a line apart:
///   client identity user [time] "request" status bytes
///   client identity user [time] "request" status bytes "referer" "agent"
/// Behind the agent may stand what a server was told to add, after a space. The user may contain spaces, and
/// brackets that do not follow one; in quoted texts \" is no end. `entry` is complete when the kind is
/// `entry`. Apache HTTP Server 2.4, "Log Files" and mod_log_config ("Format Notes" on escaping).
[[nodiscard]] DUOMAP_HD inline log_line_kind parse_log_line(byte_view line, log_entry& entry) {
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

  const std::uint64_t identity = find_byte(text, ' ') + 1;
  if (identity == 1 || identity > text.size) return lacks(log_fault::client);
  entry.client = text.sub(0, identity - 1);
  const std::uint64_t user = find_byte(text, ' ', identity) + 1;
  std::uint64_t open = find_byte(text, '[', user);
  while (open < text.size && text[open - 1] != ' ') open = find_byte(text, '[', open + 1);
  // Neither of the two is empty: a space behind each, and something before it.
  if (open >= text.size || user == identity + 1 || open < user + 2) return lacks(log_fault::time);
  const std::uint64_t close = find_byte(text, ']', open + 1);
  entry.time = text.sub(open + 1, close - open - 1);
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

  entry.method = entry.url = entry.protocol = entry.referer = entry.agent = text.sub(at, 0);
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
  }
  detail::split_request(text.sub(request, request_end - request), entry);
  return log_line_kind::entry;
}

}  // namespace duomap::apps
