// Builds log formats from names, from Apache's LogFormat and from lines #Fields:, and parses lines with them.
#include "apps/tasks/weblog/log_format.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace duomap::apps {
namespace {

// AWS, "Access logs for your Application Load Balancer". The pattern ends with the agent, because AWS
// sometimes adds fields at the end. A field without a directive of Apache is written as %{its name}x.
constexpr std::string_view alb =
    R"(%{type}x %t %{elb}x %a:%{remote}p %{target}x %{request_time}x %{target_time}x %{response_time}x %>s %{target_status}x %{received}x %{sent}x "%r" "%{User-Agent}i")";
constexpr std::string_view fields_line = "#Fields:";

void name_it(log_format& format, std::string_view name) {
  std::ranges::fill(format.name, '\0');
  std::ranges::copy(name.substr(0, sizeof format.name - 1), format.name);
}

/// Builds a pattern from fields and texts, one behind the other.
class pattern_writer {
 public:
  explicit pattern_writer(std::string of) : of_(std::move(of)) {}

  void add_text(std::string_view text) {
    log_pattern& to = format_.pattern;
    if (to.text_bytes + text.size() > log_pattern::most_text_bytes) refuse("it is too long");
    std::ranges::copy(text, to.texts + to.text_bytes);
    to.text_bytes += static_cast<std::uint32_t>(text.size());
    if (to.field_count == 0) {
      to.first_text_bytes += static_cast<std::uint32_t>(text.size());
    } else {
      log_pattern::field& last = to.fields[to.field_count - 1];
      last.text_bytes = static_cast<std::uint8_t>(last.text_bytes + text.size());
    }
  }

  void add_field(log_role role, bool is_one_word) {
    log_pattern& to = format_.pattern;
    if (to.field_count == log_pattern::most_fields) refuse("it has more than 64 fields");
    if (to.field_count > 0 && to.fields[to.field_count - 1].text_bytes == 0)
      refuse("nothing stands between two of its fields");
    if (has(role)) role = log_role::ignored;  // the first field of a role counts
    to.fields[to.field_count++] = {role, is_one_word, 0, static_cast<std::uint16_t>(to.text_bytes)};
  }

  /// Drops the colon in front of a port and returns true, if the last field ends with that colon. The port is
  /// then no field of its own, because names and addresses have colons, too.
  bool add_port() {
    log_pattern& to = format_.pattern;
    if (to.field_count == 0) return false;
    log_pattern::field& last = to.fields[to.field_count - 1];
    if (last.text_bytes != 1 || to.texts[last.text_at] != ':') return false;
    last.text_bytes = 0;
    --to.text_bytes;
    return true;
  }

  /// Whether the last field is a URL with no text behind it. A query then belongs to the URL.
  [[nodiscard]] bool add_query() {
    const log_pattern& to = format_.pattern;
    return to.field_count > 0 && to.fields[to.field_count - 1].role == log_role::url &&
           to.fields[to.field_count - 1].text_bytes == 0;
  }

  [[nodiscard]] bool has(log_role role) const {
    const log_pattern& in = format_.pattern;
    return std::any_of(in.fields, in.fields + in.field_count,
                       [role](const log_pattern::field& one) { return one.role == role; });
  }

  [[nodiscard]] log_format finish(std::string_view name) {
    if (!has(log_role::request) && !has(log_role::url)) refuse("it has no field with the request or its URL");
    if (has(log_role::request) && has(log_role::url)) refuse("it has both the request and its URL");
    if (!has(log_role::client)) {
      for (std::uint32_t i = 0; i < format_.pattern.field_count; ++i) {
        log_role& role = format_.pattern.fields[i].role;
        if (role == log_role::forwarded) role = log_role::client;
      }
    }
    format_.kind = log_format::form::pattern;
    name_it(format_, name);
    return format_;
  }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw usage_error("the log format '" + of_ + "' cannot be used: " + problem +
                      "; give Apache's LogFormat, a line #Fields: of W3C's format, or one of " +
                      std::string(log_format_names));
  }

  log_pattern& pattern() { return format_.pattern; }

 private:
  std::string of_;
  log_format format_;
};

/// The role of a directive of Apache's mod_log_config. The directive "%{User-Agent}i" is ("User-Agent", 'i').
log_role role_of_directive(std::string_view argument, char letter) {
  const auto header = [&](std::string_view name) {
    return std::ranges::equal(argument, name,
                              [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
  };
  switch (letter) {
    case 'h':
    case 'a':
      return log_role::client;
    case 't':
      return log_role::time;
    case 'r':
      return log_role::request;
    case 's':
      return log_role::status;
    case 'm':
      return log_role::method;
    case 'U':
      return log_role::url;
    case 'H':
      return log_role::protocol;
    case 'i':
      return header("user-agent")        ? log_role::agent
             : header("referer")         ? log_role::referer
             : header("x-forwarded-for") ? log_role::forwarded
                                         : log_role::ignored;
    default:
      return log_role::ignored;
  }
}

/// Parses Apache's LogFormat. A directive is a %, optional statuses, an optional < or >, an optional
/// {argument} and a letter. \" is a quote, \t a tab.
log_format apache_format_called(const std::string& text, std::string_view name) {
  pattern_writer writer(text);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      const char next = text[++at];
      const char one = next == 't' ? '\t' : next;
      writer.add_text({&one, 1});
      continue;
    }
    if (text[at] != '%') {
      writer.add_text({&text[at], 1});
      continue;
    }
    const std::size_t at_directive = at;
    std::string_view argument;
    for (++at; at < text.size() && (text[at] == '<' || text[at] == '>' || text[at] == '!' ||
                                    text[at] == ',' || detail::is_digit(text[at]));)
      ++at;
    if (at < text.size() && text[at] == '{') {
      const std::size_t close = std::min(text.find('}', at), text.size());
      argument = std::string_view(text).substr(at + 1, close - at - 1);
      at = close + 1;
    }
    if (at < text.size() && text[at] == '^') at += 2;  // directives with three characters: %^FB, %^ti
    if (at >= text.size()) writer.refuse("it ends within a directive");
    if (text[at] == '%') {
      writer.add_text("%");
      continue;
    }
    if (text[at] == 'p' && writer.add_port()) continue;
    if (text[at] == 'q' && writer.add_query()) continue;
    if (text[at] == 't' && argument.empty() && name != "alb") {
      writer.add_text("[");
      writer.add_field(log_role::time, false);
      writer.add_text("]");
      continue;
    }
    const bool quoted = at_directive > 0 && text[at_directive - 1] == '"';
    writer.add_field(role_of_directive(argument, text[at]), name == "alb" && !quoted);
  }
  return writer.finish(name);
}

/// Parses a line "#Fields: date time c-ip ..." of W3C's format. `separator`: the byte between values.
log_format w3c_format(const std::string& line, char separator) {
  pattern_writer writer(line);
  std::size_t at = fields_line.size();
  while (true) {
    at = line.find_first_not_of(" \t\r", at);
    if (at == std::string::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    const std::string_view name = std::string_view(line).substr(at, end - at);
    at = end;
    constexpr std::array<std::pair<std::string_view, log_role>, 11> known{{
        {"c-ip", log_role::client},
        {"time", log_role::time},
        {"cs-method", log_role::method},
        {"cs-uri-stem", log_role::url},
        {"cs-uri", log_role::url},
        {"sc-status", log_role::status},
        {"cs(Referer)", log_role::referer},
        {"cs(User-Agent)", log_role::agent},
        {"x-forwarded-for", log_role::forwarded},  // CloudFront
        {"X-Forwarded-For", log_role::forwarded},  // a field of IIS that administrators add
        {"cs(X-Forwarded-For)", log_role::forwarded},
    }};
    const auto found = std::ranges::find(known, name, &std::pair<std::string_view, log_role>::first);
    if (writer.pattern().field_count > 0) writer.add_text({&separator, 1});
    writer.add_field(found == known.end() ? log_role::ignored : found->second, true);
  }
  writer.pattern().has_directives = true;
  return writer.finish("w3c");
}

log_format named(log_format::form kind, std::string_view name) {
  log_format format;
  format.kind = kind;
  name_it(format, name);
  return format;
}

log_format known_pattern(std::string_view description, std::string_view name) {
  log_format format = apache_format_called(std::string(description), name);
  format.pattern.more_may_follow = true;
  return format;
}

/// Removes the virtual host from the front of a line, with its port and the space behind it.
bool take_host(byte_view& text, log_client& host) {
  const std::uint64_t end = find_byte(text, ' ');
  if (end == text.size) return false;
  host = client_in(text.sub(0, end));
  if (host.form == client_form::none && text.sub(0, end).text() != "-") return false;
  text = text.sub(end + 1, text.size - end - 1);
  return true;
}

}  // namespace

std::optional<log_format> declared_format(byte_view text) {
  for (std::uint64_t at = 0; at < text.size && text[at] == '#';) {
    const std::uint64_t end = find_byte(text, '\n', at);
    const std::string_view line = text.sub(at, end - at).text();
    at = end + 1;
    if (!line.starts_with(fields_line)) continue;
    // CloudFront separates values by tabs, but their names by spaces.
    const byte_view rest = at < text.size ? text.sub(at, text.size - at) : byte_view();
    const std::uint64_t line_end = find_byte(rest, '\n', 0);
    const bool tabs = find_byte(rest.sub(0, line_end), '\t', 0) < line_end;
    log_format format = w3c_format(std::string(line), tabs ? '\t' : ' ');
    format.is_own = true;
    return format;
  }
  return std::nullopt;
}

log_line_kind log_format::operator()(byte_view line, log_entry& entry) const {
  byte_view text = line;
  if (prefixes.any() && !text.empty() && text.text() != "\r") {
    thread_local std::string memory;
    if (text[text.size - 1] == '\r') --text.size;
    entry.fault = log_fault::prefix;
    if (!take_prefixes(prefixes, text, memory)) return log_line_kind::malformed;
  }
  log_client host;
  switch (kind) {
    case form::apache:
      return parse_log_line(text, entry, choice);
    case form::lighttpd:
      return parse_log_line<log_second_word::host>(text, entry, choice);
    case form::host: {
      if (text.empty() || text.text() == "\r") return log_line_kind::blank;
      entry.fault = log_fault::fields;
      if (!take_host(text, host)) return log_line_kind::malformed;
      const log_line_kind found = parse_log_line(text, entry, choice);
      if (found != log_line_kind::entry) return log_line_kind::malformed;
      // If host and client stood in the opposite order, the address would be the client.
      entry.fault = log_fault::other_client;
      return is_address(host) && entry.client.form == client_form::name ? log_line_kind::malformed : found;
    }
    case form::pattern:
      if (is_own && !text.empty() && text[0] == '#') require_same_fields(text);
      return pattern.parse(text, entry, choice);
    case form::json:
      return parse_json_log_line(text, entry, choice);
  }
  return log_line_kind::malformed;
}

bool log_format::has_client() const {
  return kind != form::pattern ||
         std::any_of(pattern.fields, pattern.fields + pattern.field_count,
                     [](const log_pattern::field& one) { return one.role == log_role::client; });
}

void log_format::require_same_fields(byte_view line) const {
  if (!line.text().starts_with(fields_line)) return;
  try {
    if (same_format(*this,
                    w3c_format(std::string(line.text()), pattern.text_bytes > 0 ? *pattern.texts : ' ')))
      return;
  } catch (const usage_error&) {
    // A line that describes no usable format differs, too.
  }
  throw input_error(
      "a line #Fields: names other fields than the first one, so that the lines behind it are in another "
      "format; split the log in front of that line, and run the parts one after the other");
}

bool same_format(const log_format& a, const log_format& b) {
  return a.kind == b.kind && std::strcmp(a.name, b.name) == 0 && a.prefixes == b.prefixes &&
         a.pattern.field_count == b.pattern.field_count &&
         std::memcmp(a.pattern.texts, b.pattern.texts, sizeof a.pattern.texts) == 0 &&
         std::equal(a.pattern.fields, a.pattern.fields + a.pattern.field_count, b.pattern.fields,
                    [](const log_pattern::field& one, const log_pattern::field& other) {
                      return one.role == other.role && one.text_at == other.text_at;
                    });
}

std::optional<log_format> log_format_called(const std::string& text) {
  if (text == "common" || text == "combined") return named(log_format::form::apache, "combined");
  if (text == "json") return named(log_format::form::json, text);
  if (text == "vhost_combined") return named(log_format::form::host, text);
  if (text == "lighttpd") return named(log_format::form::lighttpd, text);
  if (text == "alb") return known_pattern(alb, text);
  if (text == "w3c" || text == "cloudfront") return std::nullopt;
  if (text.starts_with(fields_line)) return w3c_format(text, ' ');
  if (text.find('%') != std::string::npos) return apache_format_called(text, "described");
  throw usage_error("there is no log format '" + text + "'; give one of " + std::string(log_format_names) +
                    ", Apache's LogFormat, or a line #Fields: of W3C's format");
}

std::string text_of(const log_format& format) {
  return format.name + (format.prefixes.any() ? " behind " + names_of(format.prefixes) : std::string());
}

std::string other_than(const log_format& format) {
  if (format.is_apache()) return "in neither the common nor the combined log format";
  return "not in the log format " + text_of(format);
}

}  // namespace duomap::apps
