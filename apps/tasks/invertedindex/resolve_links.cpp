// Divides events into ranges, updates the state of a walk, and reads cut tags to their ends.
#include "apps/tasks/invertedindex/resolve_links.hpp"

#include <algorithm>
#include <string>

namespace duomap::apps {
namespace {

/// Returns the next chunk_begins event of the same source behind `at`, and moves `at` there; null if there is
/// none.
const link_event* next_beginning(const event_runs& runs, event_position& at) {
  const std::uint32_t source = runs[at.run].source;
  for (++at.index; at.run < runs.size() && runs[at.run].source == source; ++at.run, at.index = 0) {
    const auto& entries = runs[at.run].entries;
    for (; at.index < entries.size(); ++at.index)
      if (entries[at.index].value.kind() == markup_event_kind::chunk_begins) return &entries[at.index];
  }
  return nullptr;
}

}  // namespace

std::vector<event_range> divide_events(const event_runs& runs, std::uint64_t count) {
  std::uint64_t all = 0;
  for (const auto& run : runs) all += run.entries.size();
  count = std::min(count, all);
  std::vector<event_range> ranges;
  event_position at;
  std::uint64_t before = 0;  // number of events in earlier runs
  for (std::uint64_t i = 0; i < count; ++i) {
    const event_position begin = at;
    const std::uint64_t end = all * (i + 1) / count;
    for (; before + runs[at.run].entries.size() < end; ++at.run) before += runs[at.run].entries.size();
    at.index = end - before;
    ranges.push_back({begin, at});
  }
  return ranges;
}

walk_state state_within(const walk_state& before, const event_runs& runs, const event_range& range) {
  event_position first = range.begin;
  while (first.index == runs[first.run].entries.size()) first = {first.run + 1, 0};
  const markup_event& event = runs[first.run].entries[first.index].value;
  // A chunk_begins event has the offset behind the '<' that begins its chunk.
  const std::uint64_t begin = event.begin() - (event.kind() == markup_event_kind::chunk_begins ? 1 : 0);
  const bool reaches = before.offset > begin || before.within != markup_text::data;
  return before.source == event.source() && reaches ? before : walk_state{};
}

void walk_state::pass(const markup_event& event) {
  using kind = markup_event_kind;
  if (event.kind() == kind::chunk_begins) return;
  const bool closes = event.kind() == kind::closes && event.name() == element;
  const bool script =
      event.kind() == kind::names_script || (event.kind() == kind::opens && event.name() == tag_name::script);
  switch (within) {
    case markup_text::data:
      offset = event.end();
      if (event.kind() == kind::opens) {
        within = markup_text::raw_text;
        element = event.name();
      } else if (event.kind() == kind::comment && event.end() == event.begin()) {
        within = markup_text::comment;
        // "<!--!>" and "<!---!>" do not end the comment. The first end that counts is 8 bytes behind.
        offset = event.begin() + 8;
      }
      return;
    case markup_text::comment:
      if (event.kind() == kind::comment_end || event.kind() == kind::comment_end_bang)
        within = markup_text::data;
      return;
    case markup_text::double_escaped_script:
      if (event.kind() == kind::comment_end) within = markup_text::raw_text;
      if (closes) within = markup_text::escaped_script;
      return;
    case markup_text::escaped_script:
      if (event.kind() == kind::comment_end) within = markup_text::raw_text;
      if (script) within = markup_text::double_escaped_script;
      break;
    case markup_text::raw_text:
      if (element == tag_name::script && event.kind() == kind::comment) within = markup_text::escaped_script;
      break;
  }
  if (!closes) return;
  within = markup_text::data;
  offset = event.end();
}

completed_tag mend(const event_runs& runs, event_position at) {
  const auto& cut = runs[at.run].entries[at.index];
  std::string bytes(cut.key.bytes().text());
  tag_bytes in{byte_view(bytes), bytes.find('<')};
  tag read{.result = tag_end::cut, .end = bytes.size()};
  while (read.result == tag_end::cut) {
    const auto* const next = next_beginning(runs, at);
    if (next == nullptr) {
      read.result = tag_end::end_of_source;
      break;
    }
    bytes += next->key.bytes().text();
    in.bytes = byte_view(bytes);
    read = read_tag(in);
    // The number of bytes of the chunk that the event's key leaves out, because they cannot end the tag.
    const std::uint64_t unsaid = next->value.end() - next->value.begin() - next->key.bytes().size;
    if (unsaid == 0 || read.result == tag_end::found || read.result == tag_end::text) continue;
    read.end += unsaid;
    read.result = read.end > most_tag_bytes ? tag_end::text : tag_end::end_of_source;
  }
  return {event_of(in, read, cut.value.source(), cut.value.begin()), std::string(read.href.text())};
}

}  // namespace duomap::apps
