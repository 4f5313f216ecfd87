// Parses a line of a log in which known texts stand between the fields.
// host only
#pragma once

#include "apps/tasks/weblog/log_client.hpp"
#include "apps/tasks/weblog/log_line.hpp"
#include "core/byte_view.hpp"
#include "core/text/compare.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap::apps {

/// The role of a field in a log.
enum class log_role : std::uint8_t {
  ignored,
  client,
  forwarded,  ///< X-Forwarded-For
  time,
  request,  ///< method, URL and protocol
  method,
  url,
  protocol,
  status,
  referer,
  agent,
};

inline constexpr unsigned log_role_count = static_cast<unsigned>(log_role::agent) + 1;

/// Fields and the texts between them, made by apps/tasks/weblog/log_format.hpp. It is trivially copyable,
/// because tasks contain a copy.
struct log_pattern {
  static constexpr unsigned most_fields = 64;
  static constexpr unsigned most_text_bytes = 256;

  struct field {
    log_role role = log_role::ignored;
    bool is_one_word = false;     ///< the field has no space and no tab
    std::uint8_t text_bytes = 0;  ///< bytes of the text behind the field; 0: the field ends the line
    std::uint16_t text_at = 0;    ///< index of that text in `texts`
  };

  char texts[most_text_bytes] = {};  ///< the texts; the text before the first field comes first
  field fields[most_fields] = {};
  std::uint32_t field_count = 0;
  std::uint32_t text_bytes = 0;
  std::uint32_t first_text_bytes = 0;
  bool more_may_follow = false;  ///< text may follow the last field, after a space
  bool has_directives = false;   ///< a line that begins with # is no entry, and values have no escapes

  /// Takes a line apart into views, without decoding. A quoted field ends at a quote without a backslash
  /// before it. A line is malformed if its client is neither address nor name. Its status must be three
  /// digits or "-", which means a broken connection and gives 0.
  [[nodiscard]] log_line_kind parse(byte_view line, log_entry& entry, client_choice choice) const;

 private:
  /// The end of field number `i`, which begins at `from`. text.size + 1 if the field does not end.
  [[nodiscard]] std::uint64_t end_of(std::uint32_t i, byte_view text, std::uint64_t from) const;
  /// Whether field number `i` may begin at `at`.
  [[nodiscard]] bool may_begin(std::uint32_t i, byte_view text, std::uint64_t at) const;
};

namespace detail {

/// Puts the bytes of a field into the entry. Returns false when these bytes cannot have this role.
[[nodiscard]] inline bool take_field(log_role role, byte_view value, client_choice choice, log_entry& entry) {
  const bool is_dash = value.size == 1 && value[0] == '-';
  switch (role) {
    case log_role::ignored:
      return true;
    case log_role::client:
      return take_client(value, choice, entry);
    case log_role::forwarded:
      entry.forwarded = value;
      return true;
    case log_role::time:
      entry.time = value;
      return true;
    case log_role::request:
      split_request(value, entry);
      return true;
    case log_role::method:
      entry.method = value;
      return true;
    case log_role::url:
      entry.url = is_dash ? value.sub(0, 0) : value;
      return true;
    case log_role::protocol:
      entry.protocol = value;
      return true;
    case log_role::status:
      entry.status = 0;
      for (std::uint64_t i = 0; i < value.size && !is_dash; ++i) {
        if (!is_digit(value[i])) return false;
        entry.status = entry.status * 10 + static_cast<unsigned>(value[i] - '0');
      }
      return value.size == 3 || is_dash;
    case log_role::referer:
      entry.referer = value;
      return true;
    case log_role::agent:
      entry.agent = value;
      return true;
  }
  return false;
}

/// Completes an entry when all fields are read. Takes the client from X-Forwarded-For if the user asked for
/// that. Drops a request whose method or target is invalid.
inline void check_entry(client_choice choice, log_entry& entry) {
  if (choice.which != 0 && !entry.forwarded.empty()) {
    const log_client one = client_in_list(entry.forwarded, choice);
    if (one.form != client_form::none) entry.client = one;
  }
  if ((!entry.method.empty() && !is_method(entry.method)) || !is_target(entry.url, entry.method))
    entry.method = entry.url = entry.url.sub(0, 0);
}

/// Empties `entry`: its texts become empty texts at the start of `text`.
inline void clear_entry(byte_view text, log_entry& entry) {
  entry = {};
  entry.time = entry.method = entry.url = entry.protocol = text.sub(0, 0);
  entry.referer = entry.agent = entry.forwarded = entry.time;
}

[[nodiscard]] constexpr log_fault fault_of(log_role role) {
  switch (role) {
    case log_role::client:
    case log_role::forwarded:
      return log_fault::client;
    case log_role::time:
      return log_fault::time;
    case log_role::status:
      return log_fault::status;
    case log_role::referer:
    case log_role::agent:
      return log_fault::referer_and_agent;
    case log_role::ignored:
      return log_fault::fields;
    default:
      return log_fault::request;
  }
}

}  // namespace detail

inline bool log_pattern::may_begin(std::uint32_t i, byte_view text, std::uint64_t at) const {
  const field& one = fields[i];
  const byte_view rest = text.sub(at, text.size - at);
  if (starts_with(rest, byte_view("-")))
    return rest.size == 1 ? one.text_bytes == 0 : one.text_bytes > 0 && rest[1] == texts[one.text_at];
  if (one.role == log_role::protocol) return starts_with(rest, byte_view("HTTP/"));
  if (one.role != log_role::status) return true;
  return rest.size >= 3 && detail::is_digit(rest[0]) && detail::is_digit(rest[1]) &&
         detail::is_digit(rest[2]) && (rest.size == 3 || !detail::is_digit(rest[3]));
}

inline std::uint64_t log_pattern::end_of(std::uint32_t i, byte_view text, std::uint64_t from) const {
  const field& one = fields[i];
  const bool last = i + 1 == field_count;
  const std::uint64_t nowhere = text.size + 1;
  if (one.text_bytes == 0) {
    if (!last || !more_may_follow) return text.size;
    return find_byte(text, ' ', from);
  }
  const byte_view behind{texts + one.text_at, one.text_bytes};
  const auto stands = [&](std::uint64_t at) {
    return equal_bytes(text.data + at, behind.data, behind.size);
  };
  if (behind[0] == '"') {
    const std::uint64_t end = detail::find_closing_quote(text, from);
    return end + behind.size <= text.size && stands(end) ? end : nowhere;
  }
  // A request or URL may contain the text that stands behind it, so there may be several possible ends. An
  // end counts only if the next field can begin behind it. For a request, the first end with a protocol
  // before it wins; without one, the first end behind a method and a URL; else the first end.
  const bool is_request = one.role == log_role::request;
  const bool is_list = one.role == log_role::client || one.role == log_role::forwarded;
  const bool has_spaces = is_request || (one.role == log_role::url && !one.is_one_word);
  const std::uint64_t url = find_byte(text, ' ', from) + 1;
  bool without_protocol = is_request && url < text.size && detail::is_method(text.sub(from, url - 1 - from));
  std::uint64_t first = nowhere;
  for (std::uint64_t end = find_byte(text, behind[0], from); end + behind.size <= text.size;
       end = find_byte(text, behind[0], end + 1)) {
    if (!stands(end) || (is_list && end > from && text[end - 1] == ',')) continue;
    if (!has_spaces) return end;
    if (!last && !may_begin(i + 1, text, end + behind.size)) continue;
    if (!is_request || detail::protocol_bytes(text.sub(from, end - from)) > 0) return end;
    if (first == nowhere) first = end;
    if (without_protocol && end > url &&
        detail::is_target(text.sub(url, end - url), text.sub(from, url - 1 - from))) {
      without_protocol = false;
      first = end;
    }
  }
  return first;
}

inline log_line_kind log_pattern::parse(byte_view line, log_entry& entry, client_choice choice) const {
  byte_view text = line;
  if (text.size > 0 && text[text.size - 1] == '\r') --text.size;
  if (text.size == 0 || (has_directives && text[0] == '#')) return log_line_kind::blank;
  detail::clear_entry(text, entry);
  entry.escaped = !has_directives;
  entry.fault = log_fault::fields;
  if (text.size < first_text_bytes || !equal_bytes(text.data, texts, first_text_bytes))
    return log_line_kind::malformed;
  std::uint64_t at = first_text_bytes;
  for (std::uint32_t i = 0; i < field_count; ++i) {
    const field& one = fields[i];
    const std::uint64_t end = end_of(i, text, at);
    entry.fault = detail::fault_of(one.role);
    if (end > text.size) return log_line_kind::malformed;
    const byte_view value = text.sub(at, end - at);
    if (one.is_one_word &&
        (value.empty() || find_byte(value, ' ') < value.size || find_byte(value, '\t') < value.size))
      return log_line_kind::malformed;
    if (!detail::take_field(one.role, value, choice, entry)) return log_line_kind::malformed;
    at = end + one.text_bytes;
  }
  const bool complete = at == text.size || (more_may_follow && text[at] == ' ');
  entry.fault = log_fault::fields;
  if (!complete) return log_line_kind::malformed;
  detail::check_entry(choice, entry);
  return log_line_kind::entry;
}

}  // namespace duomap::apps
