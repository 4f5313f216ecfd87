// Lines of a log that are in no known format: where the first of them stand.
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

/// Says how many such lines there are, and of the first few in which file and at which byte they begin and
/// how: a sentence or two. Reads the logs again until these are found; what can be read only once gives no
/// places.
/// @throws interrupted
[[nodiscard]] std::string malformed_text(std::uint64_t count, const input& logs, const log_format& format,
                                         worker_pool& pool);

/// Why a strict run has stopped at a line: names the first malformed line of the input, which comes before
/// `seen` or is that, with its file, its number, the byte at which it begins and what is wrong. Reads the
/// logs again up to there; of what can be read only once it is the line that was seen.
[[nodiscard]] std::string strict_text(const stopped_by_map& seen, const input& logs, const log_format& format,
                                      worker_pool& pool);

/// Why a run over logs of which most lines do not fit is an error: shows the first such line and what was
/// expected there.
[[nodiscard]] std::string misfit_text(std::uint64_t malformed, std::uint64_t lines, const input& logs,
                                      const log_format& format, worker_pool& pool);

/// The beginning of a line in quotes, for messages.
[[nodiscard]] std::string shown_line(std::string_view line);

}  // namespace duomap::apps
