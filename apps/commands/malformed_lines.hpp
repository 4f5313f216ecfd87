// Lines of a log that are in no known format: where the first of them stand.
// host only
#pragma once

#include "apps/tasks/weblog/log_format.hpp"
#include "apps/tasks/weblog/log_line.hpp"
#include "core/byte_view.hpp"
#include "core/early_stop.hpp"
#include "core/input/input.hpp"
#include "core/record/lines.hpp"
#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// One of them, and how it begins.
struct malformed_line {
  static constexpr std::uint64_t shown_bytes = 80;

  std::uint32_t source;
  std::uint32_t text_bytes;
  std::uint64_t offset;  ///< of its first byte, decompressed
  char text[shown_bytes];
};

struct earlier_in_input {
  [[nodiscard]] bool operator()(const malformed_line& a, const malformed_line& b) const {
    return a.source != b.source ? a.source < b.source : a.offset < b.offset;
  }
};

/// The first k of them. A pass of its own over the logs, which only a user with such lines pays for: were
/// their places kept by the pass that counts, each of its values would have to carry one.
struct first_malformed_lines {
  using format = lines;
  using key = no_key;
  using reduce = top_k<malformed_line, earlier_in_input>;

  log_format parse = {};
  std::uint64_t k = 3;

  [[nodiscard]] reduce reduction() const { return {.k = k}; }
  void map(const line& record, auto& emit) const {
    log_entry ignored;
    if (parse(record.text, ignored) != log_line_kind::malformed) return;
    malformed_line found{record.source, 0, record.offset, {}};
    found.text_bytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(record.text.size, malformed_line::shown_bytes));
    std::copy_n(record.text.data, found.text_bytes, found.text);
    emit(found);
  }
};

/// Says how many such lines there are, and of the first few in which file and at which byte they begin and
/// how: a sentence or two. Reads the logs again; what can be read only once gives no places.
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
