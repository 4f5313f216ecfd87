// Decides which of the possible links are links: walks over the events of the input, in order.
// host only
#pragma once

#include "apps/tasks/invertedindex/find_links.hpp"
#include "core/partial/collected.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// An emit of find_links. The key of a link is its target as written.
using link_event = keyed_entry<markup_event>;

/// All events, in the order of the input.
using event_runs = std::vector<emit_run<markup_event>>;

/// The position of an event, or the end of a run.
struct event_position {
  std::size_t run = 0;
  std::size_t index = 0;
};

/// Consecutive events, at least one.
struct event_range {
  event_position begin;
  event_position end;
};

/// Divides all events into `count` ranges of about equal size. With fewer events each range has one event.
[[nodiscard]] std::vector<event_range> divide_events(const event_runs& runs, std::uint64_t count);

/// The kind of text in which an event stands.
enum class markup_text : std::uint8_t {
  data,
  comment,
  raw_text,               ///< the text of an element in which no tags begin
  escaped_script,         ///< behind "<!--" in a script
  double_escaped_script,  ///< behind "<script" in an escaped script
};

/// The state of a walk behind an event: the kind of text, and the lowest offset at which the next tag may
/// begin.
struct walk_state {
  std::uint32_t source = 0;
  markup_text within = markup_text::data;
  tag_name element = tag_name::other;  ///< for raw text: its element
  std::uint64_t offset = 0;
  friend bool operator==(const walk_state&, const walk_state&) = default;

  /// Changes the state by an event that begins at `offset` or later.
  void pass(const markup_event& event);
};

/// The state in which to read `range`: a new state, unless a comment, element or tag before reaches into it.
[[nodiscard]] walk_state state_within(const walk_state& before, const event_runs& runs,
                                      const event_range& range);

/// A tag that the end of a chunk cut, read to its end: its event, and for a link its target as written.
struct completed_tag {
  markup_event event;
  std::string href;
};

/// Reads a cut tag to its end. The missing bytes are in the chunk_begins events of later chunks.
[[nodiscard]] completed_tag mend(const event_runs& runs, event_position at);

/// Goes through the events of a range as a tokenizer goes through HTML. Calls link(event) for each link, in
/// order. For a link that the end of a chunk cut it calls mended(event, target) instead, with the target as
/// written. Returns the state behind the range. It reads cut tags to their ends behind the range.
template <class Link, class Mended>
[[nodiscard]] walk_state walk(const event_runs& runs, const event_range& range, walk_state state, Link&& link,
                              Mended&& mended) {
  using kind = markup_event_kind;
  for (std::size_t run = range.begin.run; run <= range.end.run && run < runs.size(); ++run) {
    const auto& entries = runs[run].entries;
    const std::size_t first = run == range.begin.run ? range.begin.index : 0;
    const std::size_t end = run == range.end.run ? range.end.index : entries.size();
    if (first == end) continue;
    if (const std::uint32_t source = runs[run].source; state.source != source) state = {.source = source};
    for (std::size_t i = first; i < end; ++i) {
      const markup_event& event = entries[i].value;
      if (event.begin() < state.offset) continue;
      const bool in_data = state.within == markup_text::data;
      if (event.kind() == kind::cut_tag) {
        const completed_tag tag = mend(runs, {run, i});
        if (in_data && tag.event.kind() == kind::link) mended(entries[i], tag.href);
        state.pass(tag.event);
      } else {
        if (in_data && event.kind() == kind::link) link(entries[i]);
        state.pass(event);
      }
    }
  }
  return state;
}

}  // namespace duomap::apps
