// Finds the first malformed lines of logs again, and puts them into messages.
#include "apps/tasks/weblog/malformed_lines.hpp"

#include "apps/report/quantity.hpp"
#include "apps/tasks/weblog/log_line.hpp"
#include "core/boundary.hpp"
#include "core/byte_view.hpp"
#include "core/error.hpp"
#include "core/input/input_slice.hpp"
#include "core/path_problem.hpp"
#include "core/record/lines.hpp"
#include "core/run_options.hpp"
#include "core/task.hpp"
#include "core/text/find.hpp"
#include "cpu/cpu_backend.hpp"
#include "scheduler/run.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace duomap::apps {
const char* text_of(log_fault fault) {
  switch (fault) {
    case log_fault::client:
      return "it does not begin with a client";
    case log_fault::client_list:
      return "a list of addresses stands in the client's place; --forwarded says which one is the client";
    case log_fault::other_client:
      return "between its client and its time stands what looks like a client, too";
    case log_fault::prefix:
      return "it lacks what stands before the other lines";
    case log_fault::time:
      return "client, identity, user and [time] do not stand at its beginning";
    case log_fault::request:
      return "no quoted request follows the time";
    case log_fault::status:
      return "no closed quote and status of three digits follow the request";
    case log_fault::bytes:
      return "no number of bytes follows the status";
    case log_fault::referer_and_agent:
      return "what follows the bytes is no quoted referer and agent";
    case log_fault::fields:
      return "its fields are not those of the format";
    case log_fault::json:
      return "it is no object of JSON";
  }
  return "";
}

namespace {

/// A malformed line of the input, with its beginning.
struct malformed_line {
  static constexpr std::uint64_t shown_bytes = 80;

  std::uint32_t source;
  std::uint32_t text_bytes;
  std::uint64_t offset;  ///< offset of its first byte in the decompressed source
  char text[shown_bytes];
};

struct earlier_in_input {
  [[nodiscard]] bool operator()(const malformed_line& a, const malformed_line& b) const {
    return a.source != b.source ? a.source < b.source : a.offset < b.offset;
  }
};

/// Finds the first k malformed lines in a second pass over the logs, which only logs with malformed lines
/// need. In the counting pass each value would need room for a line's place.
struct first_malformed_lines {
  using format = lines;
  using key = no_key;
  using reduce = top_k<malformed_line, earlier_in_input>;

  log_format parse;
  std::uint64_t k;

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

/// The most malformed lines that a summary shows.
constexpr std::uint64_t shown_lines = 3;

/// The first `wanted` malformed lines. The logs must have at least this number of them.
std::vector<malformed_line> find_first(std::uint64_t wanted, const input& logs, const log_format& format,
                                       worker_pool& pool) {
  const first_malformed_lines task{format, wanted};
  const format_boundary<lines> records({});
  // Looks at growing parts of the logs, one behind the other: parts 0 and 1 of many small parts, then part 1
  // of half the number of parts, and so on. A line near the beginning is found soon.
  constexpr std::uint64_t least_part_bytes = std::uint64_t{8} << 20;
  std::uint64_t parts = std::bit_floor(std::max<std::uint64_t>(1, logs.stored_bytes() / least_part_bytes));
  std::vector<malformed_line> found;
  for (std::uint64_t part = 0;; part == 0 ? ++part : parts /= 2) {
    const input some = slice_input(logs, part_of_input(logs, part, parts), records);
    const std::vector<std::shared_ptr<backend<first_malformed_lines>>> backends{
        std::make_shared<cpu::cpu_backend<first_malformed_lines>>(task, pool)};
    run_report report;
    scheduler::run(task, some, backends, pool, nullptr, report)
        .for_each([&](std::uint64_t, const malformed_line& one) {
          if (found.size() < wanted) found.push_back(one);
        });
    if (found.size() == wanted || part + 1 == parts) return found;
  }
}

/// A malformed line of one source, in full.
struct found_line {
  std::uint64_t offset = 0;
  std::uint64_t newlines_before = 0;
  std::string text;
};

bool is_malformed(byte_view line, const log_format& format) {
  log_entry ignored;
  return format(line, ignored) == log_line_kind::malformed;
}

/// The reason why a line is malformed.
const char* fault_text(byte_view line, const log_format& format) {
  log_entry entry;
  static_cast<void>(format(line, entry));
  if (format.kind != log_format::form::pattern && format.kind != log_format::form::json)
    return text_of(entry.fault);
  switch (entry.fault) {
    case log_fault::client:
      return "it has no client where the format has it";
    case log_fault::status:
      return "it has no status of three digits where the format has it";
    case log_fault::request:
      return "it has no request where the format has it";
    default:
      return text_of(entry.fault);
  }
}

/// The first malformed line of `bytes`, which begin at a line. Workers look at some megabytes at a time, so
/// they look at little text behind the line.
std::optional<found_line> first_in(byte_view bytes, const log_format& format, worker_pool& pool) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 18;
  const std::uint64_t pieces_at_once = std::uint64_t{pool.workers()} * 8;
  const auto line_start = [&](std::uint64_t at) {
    return at == 0 ? 0 : std::min(find_byte(bytes, '\n', at - 1) + 1, bytes.size);
  };
  for (std::uint64_t begin = 0; begin < bytes.size; begin += pieces_at_once * piece_bytes) {
    std::vector<std::uint64_t> firsts(pieces_at_once, not_found);
    pool.for_each_index(pieces_at_once, [&](std::uint64_t i) {
      const std::uint64_t from = begin + i * piece_bytes;
      if (from >= bytes.size) return;
      const std::uint64_t end = line_start(std::min(from + piece_bytes, bytes.size));
      for (std::uint64_t at = line_start(from); at < end && firsts[i] == not_found;) {
        const std::uint64_t newline = find_byte(bytes, '\n', at);
        if (is_malformed(bytes.sub(at, newline - at), format)) firsts[i] = at;
        at = newline + 1;
      }
    });
    const std::uint64_t first = *std::ranges::min_element(firsts);
    if (first == not_found) continue;
    return found_line{first, static_cast<std::uint64_t>(std::count(bytes.data, bytes.data + first, '\n')),
                      std::string(bytes.sub(first, find_byte(bytes, '\n', first) - first).text())};
  }
  return std::nullopt;
}

std::optional<found_line> first_in(byte_stream& stream, const log_format& format) {
  found_line line;
  std::vector<char> block(std::size_t{1} << 20);
  std::uint64_t at = 0;  // offset of the block in the stream
  while (const std::uint64_t size = stream.read(block.data(), block.size())) {
    for (std::uint64_t from = 0; from < size;) {
      const std::uint64_t newline = find_byte({block.data(), size}, '\n', from);
      line.text.append(block.data() + from, newline - from);
      from = newline + 1;
      if (newline == size) break;
      if (is_malformed(byte_view(line.text), format)) return line;
      line.text.clear();
      line.offset = at + from;
      ++line.newlines_before;
    }
    at += size;
  }
  if (is_malformed(byte_view(line.text), format)) return line;
  return std::nullopt;
}

std::string line_text(const std::string& file, const found_line& line, bool numbered,
                      const log_format& format) {
  const std::string text = quoted(file) + (numbered ? ", line " + count_text(line.newlines_before + 1) : "") +
                           ", byte " + count_text(line.offset);
  if (line.text.empty()) return text;
  return text + ": " + shown_line(line.text) + ": " + fault_text(byte_view(line.text), format);
}

/// A text about the first malformed line in the sources from 0 to `last`.
std::string first_text(const input& logs, std::uint32_t last, const log_format& format, worker_pool& pool) {
  for (std::uint32_t i = 0; i <= last; ++i) {
    const auto line =
        logs[i].addressable() ? first_in(logs[i].bytes(), format, pool) : first_in(*logs[i].open(), format);
    if (line) return line_text(logs[i].name(), *line, true, format);
  }
  return {};
}

}  // namespace

std::string shown_line(std::string_view line) {
  const std::string_view begin = line.substr(0, malformed_line::shown_bytes);
  return "'" + escaped_controls(begin) + (begin.size() < line.size() ? "...'" : "'");
}

std::string strict_text(const stopped_by_map& seen, const input& logs, const log_format& format,
                        worker_pool& pool) {
  const std::string what =
      "a line is " + other_than(format) + ", and --strict stops at the first; nothing was written: ";
  try {
    if (const std::string first = first_text(logs, seen.source(), format, pool); !first.empty())
      return what + first;
  } catch (const usage_error&) {
    // The source can be read only once. The line that the map saw is then the best answer.
  }
  return what + line_text(logs[seen.source()].name(), {seen.offset(), 0, seen.text()}, false, format);
}

std::string malformed_text(std::uint64_t count, const input& logs, const log_format& format,
                           worker_pool& pool) {
  std::string text = count_text(count, "line") + (count == 1 ? " is " : " are ") + other_than(format);
  try {
    const char* before = ": ";
    for (const malformed_line& one : find_first(std::min(count, shown_lines), logs, format, pool)) {
      const std::string_view begin(one.text, one.text_bytes);
      text += before + quoted(logs[one.source].name()) + ", byte " + count_text(one.offset) + ": '" +
              escaped_controls(begin) + (one.text_bytes == malformed_line::shown_bytes ? "...'" : "'");
      before = "; ";
    }
    if (count > shown_lines) text += "; and so on";
  } catch (const usage_error&) {
    text += "; where cannot be said of what can be read only once";
  }
  return text;
}

std::string misfit_text(std::uint64_t malformed, std::uint64_t lines, const input& logs,
                        const log_format& format, worker_pool& pool) {
  std::string text = count_text(malformed) + " of " + count_text(lines, "line") +
                     (malformed == 1 ? " is " : " are ") + other_than(format) +
                     ", so that nothing was counted: ";
  try {
    text += first_text(logs, static_cast<std::uint32_t>(logs.size() - 1), format, pool);
  } catch (const usage_error&) {
    text += "which cannot be said of what can be read only once";
  }
  return text + "; name or describe the format with --log-format";
}

}  // namespace duomap::apps
