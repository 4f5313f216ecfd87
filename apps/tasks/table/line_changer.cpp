// Follows the quotes of a table's text.
#include "apps/tasks/table/line_changer.hpp"

#include "apps/tasks/table/column_plan.hpp"

#include <cstring>

namespace duomap::apps {
namespace {

// The place of a byte in bytes[at, end), or `end`.
std::uint64_t place_of(char byte, const char* bytes, std::uint64_t at, std::uint64_t end) {
  const void* const found = std::memchr(bytes + at, byte, end - at);
  return found == nullptr ? end : static_cast<std::uint64_t>(static_cast<const char*>(found) - bytes);
}

}  // namespace

bool lines_end_at_returns(byte_view beginning, char quote) {
  bool quoted = false;
  for (std::uint64_t at = 0; at < beginning.size; ++at) {
    const char byte = beginning[at];
    if (quote != '\0' && byte == quote) quoted = !quoted;
    if (quoted || (byte != '\n' && byte != '\r')) continue;
    return byte == '\r' && at + 1 < beginning.size && beginning[at + 1] != '\n';
  }
  return false;
}

void line_changer::change(char* bytes, std::uint64_t size) {
  for (std::uint64_t at = 0; at < size;) {
    switch (state_) {
      case state::line_start:
        state_ = rules_.comment != '\n' && bytes[at] == rules_.comment ? state::comment : state::field_start;
        break;
      case state::field_start:
        if (rules_.quote != '\0' && bytes[at] == rules_.quote) {
          state_ = state::quoted;
          field_is_joined_ = false;
          ++at;
        } else {
          state_ = state::unquoted;
        }
        break;
      case state::unquoted:
        at = skip_unquoted(bytes, at, size);
        break;
      case state::quoted:
        at = skip_quoted(bytes, at, size);
        break;
      case state::behind_quote:
        if (bytes[at] == rules_.quote) {
          state_ = state::quoted;
          ++at;
        } else {
          loose_ = loose_ || (field_is_joined_ && !ends_field(bytes[at]));
          state_ = state::unquoted;
        }
        break;
      case state::comment:
        at = end_line(bytes, line_end(bytes, at, size), size);
        break;
    }
  }
}

/// Goes to the byte behind the next quote that opens a field, or behind the line. A line without comments and
/// returns needs no place of its own, so the search goes on to the end of all bytes.
std::uint64_t line_changer::skip_unquoted(char* bytes, std::uint64_t at, std::uint64_t size) {
  const bool by_lines = rules_.comment != '\n' || rules_.ends_at_returns;
  const std::uint64_t end = by_lines ? line_end(bytes, at, size) : size;
  if (rules_.quote != '\0') {
    for (std::uint64_t next = at; (next = place_of(rules_.quote, bytes, next, end)) < end; ++next) {
      const bool opens = next > at && (bytes[next - 1] == rules_.delimiter || bytes[next - 1] == '\n');
      if (!opens) continue;
      state_ = state::quoted;
      field_is_joined_ = false;
      return next + 1;
    }
  }
  if (by_lines && end < size) return end_line(bytes, end, size);
  const char last = bytes[size - 1];
  state_ = last == '\n' ? state::line_start : last == rules_.delimiter ? state::field_start : state::unquoted;
  return size;
}

std::uint64_t line_changer::skip_quoted(char* bytes, std::uint64_t at, std::uint64_t size) {
  const std::uint64_t end = place_of(rules_.quote, bytes, at, size);
  for (std::uint64_t next = at; (next = place_of('\n', bytes, next, end)) < end; ++next) {
    if (!rules_.joins_lines) {  // the row ends here, without the quote
      state_ = state::line_start;
      return next + 1;
    }
    bytes[next] = joined_line_feed;
    ++joined_;
    field_is_joined_ = true;
  }
  if (end == size) return size;
  state_ = state::behind_quote;
  return end + 1;
}

std::uint64_t line_changer::line_end(const char* bytes, std::uint64_t at, std::uint64_t size) const {
  if (!rules_.ends_at_returns) return place_of('\n', bytes, at, size);
  while (at < size && bytes[at] != '\n' && bytes[at] != '\r') ++at;
  return at;
}

/// Ends the line at `end`, if the bytes reach as far, and goes behind it.
std::uint64_t line_changer::end_line(char* bytes, std::uint64_t end, std::uint64_t size) {
  if (end == size) return size;
  bytes[end] = '\n';
  state_ = state::line_start;
  return end + 1;
}

}  // namespace duomap::apps
