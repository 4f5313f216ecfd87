// Recognises the prefixes that syslog, journald and container runtimes write before each line of a log.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace duomap::apps {

enum class log_prefix : std::uint8_t {
  none,
  syslog_5424,  ///< <PRI>1 TIME HOST APP PROCID MSGID DATA
  syslog,       ///< RFC 3164 and journald: perhaps <PRI>, a time, perhaps a host, a tag with a colon
  cri,          ///< TIME stdout F, of Kubernetes' container runtimes
  time,         ///< a time of RFC 3339, as of `docker logs --timestamps`
  container,    ///< NAME |, as of `docker compose logs`
  pod,          ///< [pod/NAME/CONTAINER], as of `kubectl logs --prefix`
  json_text,    ///< an object of JSON whose "log", "MESSAGE" or "message" is the line: docker's json-file,
                ///< journald
};

/// The prefixes of all lines of a log, the outermost first. Trivially copyable.
struct log_prefixes {
  std::array<log_prefix, 3> kinds{};

  [[nodiscard]] bool any() const { return kinds[0] != log_prefix::none; }
  friend bool operator==(const log_prefixes&, const log_prefixes&) = default;
};

/// The prefixes with which a line begins.
[[nodiscard]] log_prefixes prefixes_of(byte_view line);

/// Removes the prefixes from `line`, which may then point into `memory`. False when a prefix is missing.
[[nodiscard]] bool take_prefixes(const log_prefixes& prefixes, byte_view& line, std::string& memory);

/// The names of the prefixes for messages: "syslog", "container and time".
[[nodiscard]] std::string names_of(const log_prefixes& prefixes);

}  // namespace duomap::apps
