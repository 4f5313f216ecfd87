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

/// A sentence or two with the number of malformed lines, and for the first few of them the file, the first
/// byte and the beginning. Reads the logs again up to these lines. A source that can be read only once gives
/// no places.
/// @throws interrupted
[[nodiscard]] std::string malformed_text(std::uint64_t count, const input& logs, const log_format& format,
                                         worker_pool& pool);

/// The reason why a strict run stops: the first malformed line of the input, with its file, number, first
/// byte and fault. Reads the logs again up to that line, because the map may have seen a later one (`seen`).
/// For a source that can be read only once it names `seen`.
[[nodiscard]] std::string strict_text(const stopped_by_map& seen, const input& logs, const log_format& format,
                                      worker_pool& pool);

/// The reason why logs are refused if most of their lines do not fit: the first such line, with its fault.
[[nodiscard]] std::string misfit_text(std::uint64_t malformed, std::uint64_t lines, const input& logs,
                                      const log_format& format, worker_pool& pool);

/// The part that a line of a log lacks, for messages.
[[nodiscard]] const char* text_of(log_fault fault);

/// The beginning of a line in quotes, for messages.
[[nodiscard]] std::string shown_line(std::string_view line);

}  // namespace duomap::apps
