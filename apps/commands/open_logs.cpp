#include "apps/commands/open_logs.hpp"

#include "apps/cli/console.hpp"
#include "apps/commands/malformed_lines.hpp"
#include "core/error.hpp"
#include "core/input/resumed_stream.hpp"
#include "core/input/source.hpp"
#include "core/input/standard_input.hpp"
#include "core/path_problem.hpp"
#include "core/text/find_byte.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t beginning_bytes = std::uint64_t{64} << 10;

/// A source that can be read once, whose first bytes were looked at.
class begun_source final : public source {
 public:
  begun_source(std::unique_ptr<source> whole, std::unique_ptr<byte_stream> stream)
    : source(whole->name()), whole_(std::move(whole)), stream_(std::move(stream)) {}

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return whole_->stored_size(); }
  [[nodiscard]] bool addressable() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<byte_stream> open(const run_control* control) const override {
    return begun_.exchange(true) ? whole_->open(control) : std::move(stream_);
  }
  [[nodiscard]] std::string change() const override { return whole_->change(); }

 private:
  std::unique_ptr<source> whole_;
  mutable std::unique_ptr<byte_stream> stream_;  // handed out by the first open()
  mutable std::atomic<bool> begun_{false};
};

/// The first bytes of a source, which can be opened as before.
std::string beginning_of(std::unique_ptr<source>& log, const run_control& control) {
  if (log->addressable())
    return std::string(log->bytes().sub(0, std::min(log->units(), beginning_bytes)).text());
  std::unique_ptr<byte_stream> stream = log->open(&control);
  std::string first = next_bytes(*stream, beginning_bytes);
  const bool read_once = !log->stored_size() || log->name() == standard_input_name;
  if (read_once) {
    auto again = std::make_unique<resumed_stream>(std::move(stream), first);
    log = std::make_unique<begun_source>(std::move(log), std::move(again));
  }
  return first;
}

/// Whether it has a line that should be an entry.
bool has_lines(byte_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c != '\n' && c != '\r'; });
}

[[noreturn]] void refuse_unknown(const source& log, byte_view beginning, bool fields_wanted) {
  std::uint64_t at = 0;
  std::uint64_t number = 1;
  while (at < beginning.size && (beginning[at] == '\n' || beginning[at] == '\r'))
    number += beginning[at++] == '\n';
  const byte_view line = beginning.sub(at, find_byte(beginning, '\n', at) - at);
  throw input_error(
      quoted(log.name()) + ", line " + std::to_string(number) + ": " + shown_line(line.text()) +
      (fields_wanted ? " is no line #Fields:, which a log in W3C's extended format begins with; describe "
                       "its fields: --log-format '#Fields: date time c-ip cs-method cs-uri-stem'"
                     : " fits none of the log formats " + std::string(log_format_names) +
                           "; name or describe the format with --log-format, for example --log-format '%h %l "
                           "%u %t \"%r\" %>s %b'"));
}

/// The format of a log, by its beginning.
std::optional<log_format> format_in(const source& log, byte_view beginning) {
  try {
    return recognised_log_format(beginning);
  } catch (const usage_error& problem) {  // its own line #Fields:
    throw input_error(quoted(log.name()) + ": " + problem.what());
  }
}

}  // namespace

opened_logs open_logs(input from, const std::string& described, const run_control& control) {
  std::vector<std::unique_ptr<source>> logs = std::move(from).release();
  const bool wants_fields = described == "w3c" || described == "cloudfront";
  std::optional<log_format> format;
  if (!described.empty()) format = log_format_called(described);
  if (!format) {
    std::string of_name;
    for (std::unique_ptr<source>& log : logs) {
      const std::string beginning = beginning_of(log, control);
      if (!has_lines(beginning)) continue;
      const std::optional<log_format> one = format_in(*log, beginning);
      // Of a line that is longer than what was looked at nothing can be told.
      if (!one && beginning.size() == beginning_bytes && beginning.find('\n') == std::string::npos) continue;
      if (!one || (wants_fields && std::strcmp(one->name, "w3c") != 0))
        refuse_unknown(*log, beginning, wants_fields);
      if (!format) {
        format = one;
        of_name = log->name();
      } else if (!same_format(*format, *one)) {
        throw input_error(of_name + " is a log in the format " + format->name + ", and " + log->name() +
                          " one in the format " + one->name +
                          (std::strcmp(format->name, one->name) == 0 ? " with other fields" : "") +
                          "; run them one after the other, or name one format with --log-format");
      }
    }
  }
  return {input(std::move(logs)), format.value_or(log_format{})};
}

}  // namespace duomap::apps
