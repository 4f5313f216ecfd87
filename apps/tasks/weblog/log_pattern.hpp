// A line of a log whose fields stand between texts that are known beforehand.
#pragma once

#include "apps/tasks/weblog/log_line.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/compare.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap::apps {

/// What a field of a log is.
enum class log_role : std::uint8_t {
  ignored,
  client,
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

/// Fields and the texts between them. Trivially copyable, so that tasks have one; made by
/// apps/tasks/weblog/log_format.hpp.
struct log_pattern {
  static constexpr unsigned most_fields = 64;
  static constexpr unsigned most_text_bytes = 256;

  struct field {
    log_role role = log_role::ignored;
    bool has_port = false;        ///< a colon and a number may end it, which are no part of it
    bool is_one_word = false;     ///< it has no space and no tab
    std::uint8_t text_bytes = 0;  ///< of the text behind it; 0: it ends the line
    std::uint16_t text_at = 0;    ///< in `texts`
  };

  char texts[most_text_bytes] = {};  ///< first the one before the first field
  field fields[most_fields] = {};
  std::uint32_t field_count = 0;
  std::uint32_t text_bytes = 0;
  std::uint32_t first_text_bytes = 0;
  bool more_may_follow = false;  ///< behind the last field, after a space
  bool has_directives = false;   ///< a line that begins with # is no entry

  /// Takes a line apart; views into it, nothing is decoded. A quoted field ends at a quote without a
  /// backslash before it. A client that is nothing or "-" makes a line malformed, as does a status that is
  /// neither three digits nor "-" (a connection that broke off, 0 here).
  [[nodiscard]] DUOMAP_HD log_line_kind parse(byte_view line, log_entry& entry) const;

 private:
  /// Where the field that begins at `from` ends; text.size + 1 if it does not.
  [[nodiscard]] DUOMAP_HD std::uint64_t end_of(const field& one, byte_view text, std::uint64_t from,
                                               bool last) const;
};

namespace detail {

[[nodiscard]] DUOMAP_HD inline byte_view without_port(byte_view name) {
  std::uint64_t at = name.size;
  while (at > 0 && is_digit(name[at - 1])) --at;
  const bool has_one = at < name.size && at > 1 && name[at - 1] == ':';
  return has_one ? name.sub(0, at - 1) : name;
}

/// Puts a field's bytes where they belong; false when they cannot be what they should.
[[nodiscard]] DUOMAP_HD inline bool take_field(log_role role, byte_view value, log_entry& entry) {
  const bool is_dash = value.size == 1 && value[0] == '-';
  switch (role) {
    case log_role::ignored:
      return true;
    case log_role::client:
      entry.client = value;
      return !value.empty() && !is_dash;
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

[[nodiscard]] DUOMAP_HD constexpr log_fault fault_of(log_role role) {
  switch (role) {
    case log_role::client:
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

DUOMAP_HD inline std::uint64_t log_pattern::end_of(const field& one, byte_view text, std::uint64_t from,
                                                   bool last) const {
  const std::uint64_t nowhere = text.size + 1;
  if (one.text_bytes == 0) {
    if (!last || !more_may_follow) return text.size;
    return find_byte(text, ' ', from);
  }
  const byte_view behind{texts + one.text_at, one.text_bytes};
  const bool quoted = behind[0] == '"';
  std::uint64_t end = quoted ? detail::find_closing_quote(text, from) : find_byte(text, behind[0], from);
  while (end + behind.size <= text.size) {
    if (equal_bytes(text.data + end, behind.data, behind.size)) return end;
    if (quoted) return nowhere;
    end = find_byte(text, behind[0], end + 1);
  }
  return nowhere;
}

DUOMAP_HD inline log_line_kind log_pattern::parse(byte_view line, log_entry& entry) const {
  byte_view text = line;
  if (text.size > 0 && text[text.size - 1] == '\r') --text.size;
  if (text.size == 0 || (has_directives && text[0] == '#')) return log_line_kind::blank;
  entry = {};
  entry.client = entry.time = entry.method = entry.url = entry.protocol = text.sub(0, 0);
  entry.referer = entry.agent = entry.client;
  entry.fault = log_fault::fields;
  if (text.size < first_text_bytes || !equal_bytes(text.data, texts, first_text_bytes))
    return log_line_kind::malformed;
  std::uint64_t at = first_text_bytes;
  for (std::uint32_t i = 0; i < field_count; ++i) {
    const field& one = fields[i];
    const std::uint64_t end = end_of(one, text, at, i + 1 == field_count);
    entry.fault = detail::fault_of(one.role);
    if (end > text.size) return log_line_kind::malformed;
    byte_view value = text.sub(at, end - at);
    if (one.is_one_word &&
        (value.empty() || find_byte(value, ' ') < value.size || find_byte(value, '\t') < value.size))
      return log_line_kind::malformed;
    if (one.has_port) value = detail::without_port(value);
    if (!detail::take_field(one.role, value, entry)) return log_line_kind::malformed;
    at = end + one.text_bytes;
  }
  const bool complete = at == text.size || (more_may_follow && text[at] == ' ');
  entry.fault = log_fault::fields;
  return complete ? log_line_kind::entry : log_line_kind::malformed;
}

}  // namespace duomap::apps
