#include "apps/tasks/weblog/log_format.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace duomap::apps {
namespace {

constexpr std::string_view vhost_combined = R"(%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i")";
// AWS, "Access logs for your Application Load Balancer": what follows the agent is left out, since more is
// added from time to time. A field that no directive of Apache means is %{its name}x.
constexpr std::string_view alb =
    R"(%{type}x %t %{elb}x %a:%{remote}p %{target}x %{request_time}x %{target_time}x %{response_time}x %>s %{target_status}x %{received}x %{sent}x "%r" "%{User-Agent}i")";
constexpr std::string_view fields_line = "#Fields:";

void name_it(log_format& format, std::string_view name) {
  std::ranges::fill(format.name, '\0');
  std::ranges::copy(name.substr(0, sizeof format.name - 1), format.name);
}

/// Puts fields and texts one behind the other.
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
    if (has(role)) role = log_role::ignored;  // the first counts
    to.fields[to.field_count++] = {role, false, is_one_word, 0, static_cast<std::uint16_t>(to.text_bytes)};
  }

  /// A port behind a field is no field: names and addresses have colons of their own.
  bool add_port() {
    log_pattern& to = format_.pattern;
    if (to.field_count == 0) return false;
    log_pattern::field& last = to.fields[to.field_count - 1];
    if (last.text_bytes != 1 || to.texts[last.text_at] != ':') return false;
    last.text_bytes = 0;
    last.has_port = true;
    --to.text_bytes;
    return true;
  }

  [[nodiscard]] bool has(log_role role) const {
    const log_pattern& in = format_.pattern;
    return std::any_of(in.fields, in.fields + in.field_count,
                       [role](const log_pattern::field& one) { return one.role == role; });
  }

  [[nodiscard]] log_format finish(std::string_view name) {
    if (!has(log_role::request) && !has(log_role::url)) refuse("it has no field with the request or its URL");
    if (has(log_role::request) && has(log_role::url)) refuse("it has both the request and its URL");
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

/// What a directive of Apache's mod_log_config means; "%{User-Agent}i" is ("User-Agent", 'i').
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
      return header("user-agent") ? log_role::agent
             : header("referer")  ? log_role::referer
                                  : log_role::ignored;
    default:
      return log_role::ignored;
  }
}

/// Apache's LogFormat: %, perhaps statuses and < or >, perhaps {an argument}, a letter. \" is a quote, \t a
/// tab.
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
    if (at < text.size() && text[at] == '^') at += 2;  // letters of three: %^FB, %^ti
    if (at >= text.size()) writer.refuse("it ends within a directive");
    if (text[at] == '%') {
      writer.add_text("%");
      continue;
    }
    if (text[at] == 'p' && writer.add_port()) continue;
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

/// A line "#Fields: date time c-ip ..." of W3C's extended format; `separator` is what stands between values.
log_format w3c_format(const std::string& line, char separator) {
  pattern_writer writer(line);
  std::size_t at = fields_line.size();
  while (true) {
    at = line.find_first_not_of(" \t\r", at);
    if (at == std::string::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    const std::string_view name = std::string_view(line).substr(at, end - at);
    at = end;
    constexpr std::array<std::pair<std::string_view, log_role>, 8> known{{
        {"c-ip", log_role::client},
        {"time", log_role::time},
        {"cs-method", log_role::method},
        {"cs-uri-stem", log_role::url},
        {"cs-uri", log_role::url},
        {"sc-status", log_role::status},
        {"cs(Referer)", log_role::referer},
        {"cs(User-Agent)", log_role::agent},
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

/// Lines of `text` that fit.
std::uint64_t lines_that_fit(byte_view text, const log_format& format) {
  std::uint64_t fit = 0;
  for (std::uint64_t at = 0; at < text.size;) {
    const std::uint64_t end = find_byte(text, '\n', at);
    log_entry entry;
    if (format(text.sub(at, end - at), entry) == log_line_kind::entry) ++fit;
    at = end + 1;
  }
  return fit;
}

/// The format that the log's own line "#Fields:" says.
std::optional<log_format> declared_format(byte_view text) {
  for (std::uint64_t at = 0; at < text.size && text[at] == '#';) {
    const std::uint64_t end = find_byte(text, '\n', at);
    const std::string_view line = text.sub(at, end - at).text();
    at = end + 1;
    if (!line.starts_with(fields_line)) continue;
    // CloudFront's values have tabs between them though the names have spaces.
    const byte_view rest = at < text.size ? text.sub(at, text.size - at) : byte_view();
    const std::uint64_t line_end = find_byte(rest, '\n', 0);
    const bool tabs = find_byte(rest.sub(0, line_end), '\t', 0) < line_end;
    log_format format = w3c_format(std::string(line), tabs ? '\t' : ' ');
    format.is_own = true;
    return format;
  }
  return std::nullopt;
}

}  // namespace

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
    // Its fields are no format at all.
  }
  throw input_error(
      "a line #Fields: names other fields than the first one, so that the lines behind it are in another "
      "format; split the log in front of that line, and run the parts one after the other");
}

bool same_format(const log_format& a, const log_format& b) {
  return a.kind == b.kind && std::strcmp(a.name, b.name) == 0 &&
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
  if (text == "vhost_combined") return known_pattern(vhost_combined, text);
  if (text == "alb") return known_pattern(alb, text);
  if (text == "w3c" || text == "cloudfront") return std::nullopt;
  if (text.starts_with(fields_line)) return w3c_format(text, ' ');
  if (text.find('%') != std::string::npos) return apache_format_called(text, "described");
  throw usage_error("there is no log format '" + text + "'; give one of " + std::string(log_format_names) +
                    ", Apache's LogFormat, or a line #Fields: of W3C's format");
}

std::optional<log_format> recognised_log_format(byte_view beginning) {
  if (std::optional<log_format> declared = declared_format(beginning)) return declared;
  std::optional<log_format> best;
  std::uint64_t most = 0;
  for (const char* const name : {"json", "alb", "vhost_combined", "combined"}) {
    const std::optional<log_format> one = log_format_called(name);
    const std::uint64_t fit = lines_that_fit(beginning, *one);
    if (fit > most) {
      most = fit;
      best = one;
    }
  }
  return best;
}

std::string other_than(const log_format& format) {
  if (format.kind == log_format::form::apache) return "in neither the common nor the combined log format";
  return "not in the log format " + std::string(format.name);
}

}  // namespace duomap::apps
