// Declares the formats of logs: known formats by name, others by a description.
// host only
#pragma once

#include "apps/tasks/weblog/json_log_line.hpp"
#include "apps/tasks/weblog/log_line.hpp"
#include "apps/tasks/weblog/log_pattern.hpp"
#include "apps/tasks/weblog/log_prefix.hpp"
#include "core/byte_view.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace duomap::apps {

/// Takes the lines of a log apart. It is trivially copyable, because tasks contain a copy.
struct log_format {
  enum class form : std::uint8_t {
    apache,    ///< common or combined, recognised line by line (apps/tasks/weblog/log_line.hpp)
    host,      ///< apache's format behind a virtual host
    lighttpd,  ///< apache's format, with the virtual host in place of the identity
    pattern,   ///< fields between known texts
    json,      ///< objects of JSON
  };

  form kind = form::apache;
  char name[16] = "combined";
  log_pattern pattern = {};
  bool is_own = false;  ///< described by the log's own line "#Fields:"
  log_prefixes prefixes = {};
  client_choice choice = {};

  /// Takes a line apart. Views in `entry` may point into memory of the thread, which stays valid until the
  /// thread's next line.
  /// @throws input_error for a later line #Fields: that names other fields than the first
  [[nodiscard]] log_line_kind operator()(byte_view line, log_entry& entry) const;

  /// Whether GPUs can parse the format.
  [[nodiscard]] bool is_apache() const { return kind == form::apache && !prefixes.any(); }
  [[nodiscard]] bool has_client() const;
  /// Whether the log escapes bytes of its values (log_entry::escaped).
  [[nodiscard]] bool has_escapes() const { return kind != form::json && !pattern.has_directives; }

 private:
  void require_same_fields(byte_view line) const;
};

/// Whether both formats take every line apart in the same way.
[[nodiscard]] bool same_format(const log_format& a, const log_format& b);

/// The names that log_format_called() accepts.
inline constexpr std::string_view log_format_names =
    "common, combined, vhost_combined, lighttpd, w3c, cloudfront, alb, json";

/// The format with this name or description. A description is Apache's LogFormat (it has a %), or a line of
/// W3C's extended format that begins with "#Fields:". Returns nothing for w3c and cloudfront, because their
/// logs name their fields themselves.
/// @throws usage_error, which says why the text is no format
[[nodiscard]] std::optional<log_format> log_format_called(const std::string& text);

/// The format that the log's own line "#Fields:" describes; nothing if the log has no such line.
/// @throws usage_error when the line describes no usable format
[[nodiscard]] std::optional<log_format> declared_format(byte_view beginning);

/// The name of the format for messages: "combined", "json behind container runtime".
[[nodiscard]] std::string text_of(const log_format& format);

/// The end of a message such as "a line is ...": "in neither the common nor the combined log format", "not in
/// the log format w3c".
[[nodiscard]] std::string other_than(const log_format& format);

}  // namespace duomap::apps
