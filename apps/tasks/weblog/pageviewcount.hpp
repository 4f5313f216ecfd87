// Declares the tasks of page view count and page view rank.
#pragma once

#include "apps/tasks/weblog/log_client.hpp"
#include "apps/tasks/weblog/log_line.hpp"
#include "apps/tasks/weblog/normal_form.hpp"
#include "apps/tasks/weblog/view_choice.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/early_stop.hpp"
#include "core/record/lines.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>
#include <type_traits>

namespace duomap::apps {

// The pass that counts views also counts lines that are no views, under three keys of their own. Pages and
// visits never have these keys, because pages are not empty, and begin with neither a space nor a quote. All
// three keys are bytes of the line, as the promise of keys_within_record says.

/// The key of lines that are in no known format.
[[nodiscard]] DUOMAP_HD constexpr byte_view malformed_key(byte_view line) { return line.sub(0, 0); }

inline constexpr char left_out_byte = ' ';
inline constexpr char no_request_byte = '"';

/// The parser of Apache's common and combined formats, which every device has. The CPU parses other formats
/// with log_format (apps/tasks/weblog/log_format.hpp).
struct apache_lines {
  client_choice choice = {};

  [[nodiscard]] DUOMAP_HD log_line_kind operator()(byte_view line, log_entry& entry) const {
    return parse_log_line(line, entry, choice);
  }
};

/// The key for an entry that does not count: a space, or a quote if the entry has no request. In Apache's
/// formats the key is a byte of the line: the space in front of the time, or the quote behind it.
template <class Format>
[[nodiscard]] DUOMAP_HD constexpr byte_view uncounted_key(const log_entry& entry) {
  const bool no_request = entry.url.empty();
  if constexpr (std::is_same_v<Format, apache_lines>) {
    return {no_request ? entry.time.end() + 2 : entry.time.begin() - 2, 1};
  } else {
    return {no_request ? &no_request_byte : &left_out_byte, 1};
  }
}

/// Finds the entry of a line. Returns true if the entry counts. Any other line is emitted under its own key,
/// except a blank line. A malformed line stops the run of a strict task.
template <class Task>
[[nodiscard]] DUOMAP_HD bool find_counted_entry(const Task& task, const line& record, log_entry& found,
                                                auto& emit) {
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
  emit(uncounted_key<decltype(task.parse)>(found), 1);
  return false;
}

/// The task that counts all requests of a page: page -> 1, summed. A page is emitted as written, because keys
/// are bytes of the line. normal_pages (apps/tasks/weblog/chained_tasks.hpp) makes the normal form
/// afterwards.
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
    if (find_counted_entry(*this, record, found, emit)) emit(choice.page(found), 1);
  }
};

using request_count = request_count_of<apache_lines>;

/// The fields that identify a visitor. Views of a page by one visitor count once.
enum class visitor { client, client_and_agent };

/// A visit as bytes: page, client and perhaps agent in their normal form. A newline separates them, because
/// neither page nor client contains a newline.
struct visit {
  byte_view page;
  log_client client;
  byte_view agent;
  bool escaped;
  bool has_agent;

  DUOMAP_HD void write(key_writer& to) const {
    write_page(page, escaped, to);
    to.put('\n');
    write_client(client, to);
    if (!has_agent) return;
    to.put('\n');
    write_agent(agent, escaped, to);
  }
};

/// The first pass for unique views (Mars, section 4; Chen & Agrawal, section 5): visit -> 1 for each request,
/// summed. Duplicate visits become one entry.
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

  /// The most bytes of a visit. For a longer visit the key is the whole line, which has no newline. Such
  /// lines are rare (none in three real logs). The limit exists because a map has no memory but its stack.
  static constexpr std::uint64_t most_bytes = 1024;

  [[nodiscard]] DUOMAP_HD visit visit_of(const log_entry& found) const {
    return {choice.page(found), found.client, found.agent, found.escaped,
            unique == visitor::client_and_agent};
  }

  DUOMAP_HD void map(const line& record, auto& emit) const {
    log_entry found;
    if (!find_counted_entry(*this, record, found, emit)) return;
    alignas(8) char joined[most_bytes];
    key_writer to(joined, most_bytes);
    visit_of(found).write(to);
    emit(to.fits() ? to.written() : record.text, 1);
  }
};

using visit_count = visit_count_of<apache_lines>;

}  // namespace duomap::apps

template <>
inline constexpr bool duomap::may_emit_nothing<duomap::apps::request_count> = true;
template <>
inline constexpr bool duomap::may_emit_nothing<duomap::apps::visit_count> = true;
template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::request_count> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::visit_count> = DUOMAP_HAS_CUDA;
