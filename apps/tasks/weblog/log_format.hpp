// The formats of logs: known ones by name, others by a description.
// host only
#pragma once

#include "apps/tasks/weblog/json_log_line.hpp"
#include "apps/tasks/weblog/log_line.hpp"
#include "apps/tasks/weblog/log_pattern.hpp"
#include "core/byte_view.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace duomap::apps {

/// How the lines of a log are taken apart. Trivially copyable: tasks have one.
struct log_format {
  enum class form : std::uint8_t {
    apache,   ///< common or combined, told line by line (apps/tasks/weblog/log_line.hpp)
    pattern,  ///< fields between known texts
    json,     ///< objects of JSON
  };

  form kind = form::apache;
  char name[16] = "combined";
  log_pattern pattern = {};
  bool is_own = false;  ///< the log's own line "#Fields:" describes it

  /// @throws input_error when the line names other fields than the one that describes the log
  [[nodiscard]] log_line_kind operator()(byte_view line, log_entry& entry) const {
    switch (kind) {
      case form::apache:
        return parse_log_line(line, entry);
      case form::pattern:
        if (is_own && !line.empty() && line[0] == '#') require_same_fields(line);
        return pattern.parse(line, entry);
      case form::json:
        return parse_json_log_line(line, entry);
    }
    return log_line_kind::malformed;
  }

  [[nodiscard]] bool has_client() const;

 private:
  void require_same_fields(byte_view line) const;
};

/// Whether both take every line apart in the same way.
[[nodiscard]] bool same_format(const log_format& a, const log_format& b);

/// The names that log_format_called() takes.
inline constexpr std::string_view log_format_names =
    "common, combined, vhost_combined, w3c, cloudfront, alb, json";

/// The format with this name, or with this description: Apache's LogFormat (it has a %), or a line of W3C's
/// extended format that begins with "#Fields:". None for w3c and cloudfront, whose logs say their fields.
/// @throws usage_error naming what is wrong with it
[[nodiscard]] std::optional<log_format> log_format_called(const std::string& text);

/// The format that most of the lines of the beginning of a log fit; of two that fit as many, the first of:
/// W3C's where a line "#Fields:" says so, JSON, ALB, vhost_combined, common and combined. None where none
/// fits.
[[nodiscard]] std::optional<log_format> recognised_log_format(byte_view beginning);

/// For messages, behind "is": "in neither the common nor the combined log format", "not in the log format
/// w3c".
[[nodiscard]] std::string other_than(const log_format& format);

}  // namespace duomap::apps
