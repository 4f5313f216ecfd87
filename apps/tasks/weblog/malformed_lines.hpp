// Writes messages about lines of logs that are in no known format, with the places of the first few.
// host only
#pragma once

#include "apps/tasks/weblog/log_format.hpp"
#include "core/early_stop.hpp"
#include "core/input/input.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace duomap::apps {

/// The number of malformed lines, and for the first few of them the file, the first byte and the beginning: a
/// sentence or two. Reads the logs again until it has found these lines. A source that can be read only once
/// gives no places.
/// @throws interrupted
[[nodiscard]] std::string malformed_text(std::uint64_t count, const input& logs, const log_format& format,
                                         worker_pool& pool);

/// The reason why a strict run has stopped: the first malformed line of the input, which is `seen` or comes
/// before it, with its file, its number, its first byte and its fault. Reads the logs again up to that line.
/// For a source that can be read only once, it is the line that was seen.
[[nodiscard]] std::string strict_text(const stopped_by_map& seen, const input& logs, const log_format& format,
                                      worker_pool& pool);

/// The reason why a run is an error over logs whose lines mostly do not fit: the first such line, with its
/// fault.
[[nodiscard]] std::string misfit_text(std::uint64_t malformed, std::uint64_t lines, const input& logs,
                                      const log_format& format, worker_pool& pool);

/// The beginning of a line in quotes, for messages.
[[nodiscard]] std::string shown_line(std::string_view line);

}  // namespace duomap::apps
