// Recognises the prefixes of a line, one kind after the other, and removes them.
#include "apps/tasks/weblog/log_prefix.hpp"

#include "apps/tasks/weblog/json_text.hpp"
#include "apps/tasks/weblog/log_client.hpp"
#include "core/text/find_byte.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace duomap::apps {
namespace {

/// Reads a text from its beginning. If the text does not match, a function reads nothing.
class text_reader {
 public:
  explicit text_reader(byte_view text) : text_(text) {}

  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] byte_view rest() const { return text_.sub(at_, text_.size - at_); }
  [[nodiscard]] bool take(std::string_view wanted) {
    if (!rest().text().starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  /// Reads a text of the given form, in which 0 stands for a digit and a for a letter.
  [[nodiscard]] bool take_form(std::string_view form) {
    if (rest().size < form.size()) return false;
    for (std::uint64_t i = 0; i < form.size(); ++i) {
      const char c = text_[at_ + i];
      if (form[i] == '0' ? !detail::is_digit(c) : form[i] == 'a' ? !detail::is_letter(c) : c != form[i])
        return false;
    }
    at_ += form.size();
    return true;
  }
  std::uint64_t take_digits() {
    const std::uint64_t begin = at_;
    while (at_ < text_.size && detail::is_digit(text_[at_])) ++at_;
    return at_ - begin;
  }
  std::uint64_t take_spaces() {
    const std::uint64_t begin = at_;
    while (at_ < text_.size && text_[at_] == ' ') ++at_;
    return at_ - begin;
  }
  /// Reads a word and the space behind it. Returns nothing if there is no space.
  byte_view take_word() {
    const std::uint64_t end = find_byte(text_, ' ', at_);
    if (end == text_.size) return {};
    const byte_view word = text_.sub(at_, end - at_);
    at_ = end + 1;
    return word;
  }
  void go_back(std::uint64_t to) { at_ = to; }

 private:
  byte_view text_;
  std::uint64_t at_ = 0;
};

bool take_fraction(text_reader& from) {
  if (from.take(".") || from.take(",")) return from.take_digits() > 0;
  return true;
}

/// Reads a time of RFC 3339, with or without a zone.
bool take_iso_time(text_reader& from) {
  if (!from.take_form("0000-00-00T00:00:00") || !take_fraction(from)) return false;
  for (const char* const zone : {"+00:00", "-00:00", "+0000", "-0000"}) {
    if (from.take_form(zone)) return true;
  }
  static_cast<void>(from.take("Z"));
  return true;
}

/// Reads a time of RFC 3164, or of one of journald's formats.
bool take_syslog_time(text_reader& from) {
  const std::uint64_t begin = from.at();
  for (const char* const day : {"aaa 00 ", "aaa  0 "}) {
    for (const char* const year : {"", "0000 "}) {
      from.go_back(begin);
      if (from.take_form(day) && from.take_form(year) && from.take_form("00:00:00") && take_fraction(from))
        return true;
    }
  }
  from.go_back(begin);
  if (take_iso_time(from)) return true;
  from.go_back(begin);  // journald's short-full: a weekday, the date and a zone
  if (from.take_form("aaa 0000-00-00 00:00:00") && take_fraction(from) && from.take(" ") &&
      !from.take_word().empty()) {
    from.go_back(from.at() - 1);
    return true;
  }
  from.go_back(begin);  // journald's short-unix
  if (from.take_digits() >= 9 && from.take(".") && from.take_digits() > 0) return true;
  from.go_back(begin);  // journald's short-monotonic
  if (!from.take("[")) return false;
  from.take_spaces();
  return from.take_digits() > 0 && from.take(".") && from.take_digits() > 0 && from.take("]");
}

bool is_tag(byte_view word) {
  return word.size > 1 && word[word.size - 1] == ':' && std::all_of(word.begin(), word.end() - 1, [](char c) {
           return detail::is_letter(c) || detail::is_digit(c) ||
                  std::string_view("_./()@-[]").find(c) != std::string_view::npos;
         });
}

bool take_syslog(text_reader& from) {
  if (from.take("<") && (from.take_digits() == 0 || !from.take(">"))) return false;
  if (!take_syslog_time(from) || !from.take(" ")) return false;
  const byte_view first = from.take_word();
  if (!is_tag(first) && (client_in(first).form == client_form::none || !is_tag(from.take_word())))
    return false;
  from.take_spaces();
  return true;
}

bool take_structured_data(text_reader& from) {
  if (from.take("-")) return true;
  if (!from.rest().text().starts_with("[")) return false;
  while (from.take("[")) {
    const byte_view rest = from.rest();
    bool quoted = false;
    std::uint64_t end = 0;
    for (; end < rest.size && (quoted || rest[end] != ']'); ++end) {
      if (quoted && rest[end] == '\\')
        ++end;
      else if (rest[end] == '"')
        quoted = !quoted;
    }
    if (end >= rest.size) return false;
    from.go_back(from.at() + end + 1);
  }
  return true;
}

bool take_syslog_5424(text_reader& from) {
  if (!from.take("<") || from.take_digits() == 0 || !from.take(">") || from.take_digits() == 0 ||
      !from.take(" "))
    return false;
  if (!from.take("-") && !take_iso_time(from)) return false;
  if (!from.take(" ")) return false;
  for (int i = 0; i < 4; ++i) {
    if (from.take_word().empty()) return false;
  }
  if (!take_structured_data(from) || !from.take(" ")) return false;
  static_cast<void>(from.take("\xEF\xBB\xBF"));
  return true;
}

bool take_cri(text_reader& from) {
  if (!take_iso_time(from) || (!from.take(" stdout ") && !from.take(" stderr "))) return false;
  const byte_view tag = from.take_word();
  return !tag.empty() && (tag[0] == 'F' || tag[0] == 'P') && (tag.size == 1 || tag[1] == ':');
}

bool take_container(text_reader& from) {
  const byte_view name = from.take_word();
  if (name.empty()) return false;
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
    return detail::is_letter(c) || detail::is_digit(c) || c == '_' || c == '.' || c == '@' || c == '-';
  });
  if (!is_name) return false;
  from.take_spaces();
  return from.take("| ");
}

bool take_pod(text_reader& from) {
  const byte_view word = from.take_word();
  return word.size > 2 && word[0] == '[' && word[word.size - 1] == ']' && find_byte(word, '/') < word.size;
}

bool take_json_text(byte_view& line, std::string& memory) {
  if (line.empty() || line[0] != '{' || line[line.size - 1] != '}') return false;
  byte_view text;
  bool is_there = false;
  const bool is_whole = for_each_json_name(line, [&](byte_view name, unsigned depth, std::uint64_t at) {
    if (depth != 1 || (name.text() != "log" && name.text() != "MESSAGE" && name.text() != "message"))
      return true;
    while (at < line.size && line[at] == ' ') ++at;
    is_there = at < line.size && line[at] == '"' && json_value_at(line, at, text);
    return false;
  });
  if (!is_whole || !is_there) return false;
  // `memory` may hold the line already, from an outer JSON string. So the line is decoded into other memory
  // first.
  std::string decoded;
  const byte_view inside = decoded_json(text, decoded);
  if (inside.data == decoded.data()) {
    memory = std::move(decoded);
    line = byte_view(memory);
  } else {
    line = inside;
  }
  while (!line.empty() && (line[line.size - 1] == '\n' || line[line.size - 1] == '\r')) --line.size;
  return true;
}

bool take_prefix(log_prefix kind, byte_view& line, std::string& memory) {
  if (kind == log_prefix::json_text) return take_json_text(line, memory);
  text_reader from(line);
  const auto take = [&] {
    switch (kind) {
      case log_prefix::syslog_5424:
        return take_syslog_5424(from);
      case log_prefix::syslog:
        return take_syslog(from);
      case log_prefix::cri:
        return take_cri(from);
      case log_prefix::time:
        return take_iso_time(from) && from.take(" ");
      case log_prefix::container:
        return take_container(from);
      case log_prefix::pod:
        return take_pod(from);
      default:
        return false;
    }
  };
  if (!take()) return false;
  line = from.rest();
  return true;
}

constexpr std::array known_prefixes{log_prefix::syslog_5424, log_prefix::syslog,    log_prefix::cri,
                                    log_prefix::time,        log_prefix::container, log_prefix::pod,
                                    log_prefix::json_text};
constexpr std::array<std::string_view, 8> prefix_names{
    "",     "syslog of RFC 5424", "syslog",   "container runtime",
    "time", "container name",     "pod name", "JSON text"};

}  // namespace

log_prefixes prefixes_of(byte_view line) {
  log_prefixes found;
  std::string memory;
  for (log_prefix& next : found.kinds) {
    const auto kind =
        std::ranges::find_if(known_prefixes, [&](log_prefix one) { return take_prefix(one, line, memory); });
    if (kind == known_prefixes.end()) break;
    next = *kind;
  }
  return found;
}

bool take_prefixes(const log_prefixes& prefixes, byte_view& line, std::string& memory) {
  return std::ranges::all_of(prefixes.kinds, [&](log_prefix one) {
    return one == log_prefix::none || take_prefix(one, line, memory);
  });
}

std::string names_of(const log_prefixes& prefixes) {
  std::string names;
  for (const log_prefix one : prefixes.kinds) {
    if (one == log_prefix::none) break;
    if (!names.empty()) names += ", ";
    names += prefix_names[static_cast<std::size_t>(one)];
  }
  return names;
}

}  // namespace duomap::apps
