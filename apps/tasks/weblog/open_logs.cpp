// Reads the beginnings of logs, and compares their formats.
#include "apps/tasks/weblog/open_logs.hpp"

#include "apps/report/quantity.hpp"
#include "apps/tasks/weblog/log_recognition.hpp"
#include "apps/tasks/weblog/malformed_lines.hpp"
#include "core/error.hpp"
#include "core/input/beginning.hpp"
#include "core/input/source.hpp"
#include "core/path_problem.hpp"
#include "core/text/find_byte.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t beginning_bytes = std::uint64_t{64} << 10;

/// Whether the text has a line that should be an entry.
bool has_lines(byte_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c != '\n' && c != '\r'; });
}

[[noreturn]] void refuse_unknown(const source& log, byte_view beginning, bool fields_wanted,
                                 client_choice choice) {
  std::uint64_t at = 0;
  std::uint64_t number = 1;
  while (at < beginning.size && (beginning[at] == '\n' || beginning[at] == '\r'))
    number += beginning[at++] == '\n';
  const byte_view line = beginning.sub(at, find_byte(beginning, '\n', at) - at);
  std::string problem =
      quoted(log.name()) + ", line " + std::to_string(number) + ": " + shown_line(line.text());
  if (fields_wanted) {
    problem +=
        " is no line #Fields:, which a log in W3C's extended format begins with; describe its fields: "
        "--log-format '#Fields: date time c-ip cs-method cs-uri-stem'";
  } else if (choice.which == 0 && recognise_log(beginning, {}, client_choice{1}).format) {
    problem +=
        " has a list of addresses in the client's place; say with --forwarded which of them is the client: "
        "first, last, or its number";
  } else {
    problem += " fits none of the log formats " + std::string(log_format_names) +
               "; name or describe the format with --log-format, for example --log-format '%h %l %u %t "
               "\"%r\" %>s %b'";
  }
  throw input_error(problem);
}

/// Finds the format of a log from its beginning.
log_recognition recognise(const source& log, byte_view beginning, const std::optional<log_format>& wanted,
                          client_choice choice) {
  // The last line of the beginning may be cut and then fits no format, so it is left out.
  const std::string_view text = beginning.text();
  const std::size_t last = beginning.size < beginning_bytes ? std::string_view::npos : text.rfind('\n');
  const byte_view sample(last == std::string_view::npos ? text : text.substr(0, last));
  try {
    return recognise_log(sample, wanted, choice);
  } catch (const usage_error& problem) {  // the log's own line #Fields: is wrong
    throw input_error(quoted(log.name()) + ": " + problem.what());
  }
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return std::to_string(whole == 0 ? 0 : 100 * part / whole) + " %";
}

std::string competition_text(const source& log, const log_recognition& found) {
  std::string text =
      "log format of " + quoted(log.name()) + ", first " + count_text(found.lines, "line") + ":";
  const char* before = " ";
  for (const format_fit& one : found.fits) {
    text += before + one.format + " fits " + count_text(one.lines);
    before = ", ";
  }
  return text;
}

}  // namespace

opened_logs open_logs(input from, const std::string& described, client_choice choice,
                      const run_control* control) {
  std::vector<std::unique_ptr<source>> logs = std::move(from).release();
  const bool wants_fields = described == "w3c" || described == "cloudfront";
  std::optional<log_format> wanted;
  if (!described.empty()) wanted = log_format_called(described);
  std::optional<log_format> format;
  std::string of_name;
  opened_logs opened{};
  for (std::unique_ptr<source>& log : logs) {
    const std::string beginning = beginning_of(log, beginning_bytes, control);
    if (!has_lines(beginning)) continue;
    const log_recognition found = recognise(*log, beginning, wanted, choice);
    const std::optional<log_format>& one = found.format;
    // Without a line end the format cannot be found.
    if (!one && beginning.size() == beginning_bytes && beginning.find('\n') == std::string::npos) continue;
    if (!one || (wants_fields && std::strcmp(one->name, "w3c") != 0))
      refuse_unknown(*log, beginning, wants_fields, choice);
    if (!found.conflict.empty())
      throw input_error(quoted(log->name()) + " " + found.conflict +
                        "; name one with --log-format, or split the log");
    if (!format) {
      format = one;
      of_name = log->name();
    } else if (!same_format(*format, *one)) {
      throw input_error(of_name + " is a log in the format " + text_of(*format) + ", and " + log->name() +
                        " one in the format " + text_of(*one) +
                        (text_of(*format) == text_of(*one) ? " with other fields" : "") +
                        "; run them one after the other, or name one format with --log-format");
    }
    opened.sample_lines += found.lines;
    opened.sample_fit += found.fits.front().lines;
    opened.competition.push_back(competition_text(*log, found));
  }
  if (!format) {
    format = wanted.value_or(log_format{});
    format->choice = choice;
  }
  opened.logs = input(std::move(logs));
  opened.format = *format;
  opened.format_note = "the log format is " + text_of(*format) + (wanted ? ", as --log-format says" : "") +
                       "; of the first " + count_text(opened.sample_lines, "line") + " " +
                       share_text(opened.sample_fit, opened.sample_lines) + " fit";
  return opened;
}

}  // namespace duomap::apps
