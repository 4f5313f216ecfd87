// The tasks of page view count and page view rank.
#pragma once

#include "apps/tasks/weblog/log_line.hpp"
#include "apps/tasks/weblog/view_choice.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/early_stop.hpp"
#include "core/record/lines.hpp"
#include "core/task.hpp"
#include "core/text/copy.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>
#include <type_traits>

namespace duomap::apps {

// What is not a view is counted too, in the same pass, under two keys that no page and no visit has: pages
// are not empty and do not begin with a space. Both are bytes of the line, so that the promise of
// keys_within_record holds for them as well.

/// The key of lines that are in no known format.
[[nodiscard]] DUOMAP_HD constexpr byte_view malformed_key(byte_view line) { return line.sub(0, 0); }

/// The parser of Apache's common and combined formats, which tasks on every device have. Other formats have
/// log_format (apps/tasks/weblog/log_format.hpp), on the CPU.
struct apache_lines {
  [[nodiscard]] DUOMAP_HD log_line_kind operator()(byte_view line, log_entry& entry) const {
    return parse_log_line(line, entry);
  }
};

/// The key of entries that are not wanted, or name no page: a space, where it is a byte of the line the one
/// behind the client.
template <class Format>
[[nodiscard]] DUOMAP_HD constexpr byte_view left_out_key(const log_entry& entry) {
  if constexpr (std::is_same_v<Format, apache_lines>) {
    return {entry.client.end(), 1};
  } else {
    return {" ", 1};
  }
}

/// The entry of a line that counts, in `found`. False for others, which it emits under their keys; of
/// malformed ones a strict task stops the run.
template <class Task>
[[nodiscard]] DUOMAP_HD bool find_view(const Task& task, const line& record, log_entry& found, auto& emit) {
  switch (task.parse(record.text, found)) {
    case log_line_kind::blank:
      return false;
    case log_line_kind::malformed:
      if (task.strict) task.stop(record.source, record.offset, record.text);
      emit(malformed_key(record.text), 1);
      return false;
    case log_line_kind::entry:
      break;
  }
  if (task.choice.counts(found)) return true;
  emit(left_out_key<decltype(task.parse)>(found), 1);
  return false;
}

/// Every request of a page: page -> 1, summed.
template <class Format>
struct request_count_of {
  using format = lines;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = std::is_same_v<Format, apache_lines>;

  view_choice choice = {};
  bool strict = false;
  early_stop stop = {};
  Format parse = {};

  DUOMAP_HD void map(const line& record, auto& emit) const {
    log_entry found;
    if (find_view(*this, record, found, emit)) emit(choice.page(found), 1);
  }
};

using request_count = request_count_of<apache_lines>;

/// What makes two views of a page the same visit.
enum class visitor { client, client_and_agent };

/// A visit as bytes: page, client and, if it counts, agent, a newline between them, which no line contains.
struct visit {
  byte_view page;
  byte_view client;
  byte_view agent;
  bool has_agent;

  [[nodiscard]] DUOMAP_HD std::uint64_t size() const {
    return page.size + 1 + client.size + (has_agent ? 1 + agent.size : 0);
  }
  /// Writes size() bytes.
  DUOMAP_HD void write(char* to) const {
    copy(to, page);
    to += page.size;
    *to++ = '\n';
    copy(to, client);
    to += client.size;
    if (!has_agent) return;
    *to++ = '\n';
    copy(to, agent);
  }
};

/// The first pass of unique views (Mars, section 4; Chen & Agrawal, section 5): visit -> requests, summed, so
/// that duplicates become one entry.
template <class Format>
struct visit_count_of {
  using format = lines;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  view_choice choice = {};
  visitor unique = visitor::client_and_agent;
  bool strict = false;
  early_stop stop = {};
  Format parse = {};

  /// Visits of more bytes are not put together: the whole line is the key, which has no newline. Such lines
  /// are rare (none in three real logs), and a map has no memory but its stack.
  static constexpr std::uint64_t most_bytes = 1024;

  [[nodiscard]] DUOMAP_HD visit visit_of(const log_entry& found) const {
    return {choice.page(found), found.client, found.agent, unique == visitor::client_and_agent};
  }

  DUOMAP_HD void map(const line& record, auto& emit) const {
    log_entry found;
    if (!find_view(*this, record, found, emit)) return;
    const visit one = visit_of(found);
    if (one.size() > most_bytes) {
      emit(record.text, 1);
      return;
    }
    alignas(8) char joined[most_bytes];
    one.write(joined);
    emit(byte_view{joined, one.size()}, 1);
  }
};

using visit_count = visit_count_of<apache_lines>;

}  // namespace duomap::apps

template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::request_count> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::visit_count> = DUOMAP_HAS_CUDA;
