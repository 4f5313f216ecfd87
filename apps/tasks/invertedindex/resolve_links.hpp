// Which of the links that were found are links: a walk over the events of the input, in order.
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

/// An emit of find_links. Of a link, the key is its target as it is written.
using link_event = keyed_entry<markup_event>;

/// All of them, in the order of the input.
using event_runs = std::vector<emit_run<markup_event>>;

/// One of them, or the end of a run.
struct event_position {
  std::size_t run = 0;
  std::size_t index = 0;
};

/// Some that follow each other; not none.
struct event_range {
  event_position begin;
  event_position end;
};

/// All emits in `count` ranges of about one size, or in as many as there are emits.
[[nodiscard]] std::vector<event_range> divide_events(const event_runs& runs, std::uint64_t count);

/// What a walk has to know of what came before: of a source, no tag begins before `offset`.
struct walk_state {
  std::uint32_t source = 0;
  std::uint64_t offset = 0;
  friend bool operator==(const walk_state&, const walk_state&) = default;
};

/// What of the state in which a walk ends matters to the range behind it: nothing, most often.
[[nodiscard]] walk_state state_within(const walk_state& before, const event_runs& runs,
                                      const event_range& range);

/// Goes through events as a tokenizer goes through HTML. A comment, script or style that nothing ends before
/// the end of its source hides nothing. For one range.
class link_walk {
 public:
  explicit link_walk(const event_runs& runs) : runs_(runs) {}

  /// Calls link(event) for each link of the range, in order, and mended(event, target) for one that the end
  /// of a chunk had cut, with its target as it is written. Returns the state behind the range, in whose runs
  /// those behind it are looked at too.
  template <class Link, class Mended>
  [[nodiscard]] walk_state go(const event_range& range, walk_state state, Link&& link, Mended&& mended) {
    using kind = markup_event_kind;
    for (std::size_t run = range.begin.run; run <= range.end.run && run < runs_.size(); ++run) {
      const auto& entries = runs_[run].entries;
      const std::size_t first = run == range.begin.run ? range.begin.index : 0;
      const std::size_t end = run == range.end.run ? range.end.index : entries.size();
      if (first == end) continue;
      if (const std::uint32_t source = runs_[run].source; state.source != source) state = {source, 0};
      for (std::size_t i = first; i < end; ++i) {
        const markup_event& event = entries[i].value;
        if (event.begin() < state.offset) continue;
        if (event.kind() == kind::link) {
          link(entries[i]);
          if (event.end() > event.begin()) state.offset = event.end();
        } else if (event.kind() == kind::cut_tag) {
          if (const auto tag = mend({run, i})) {
            if (tag->what == kind::link) mended(entries[i], tag->href);
            state.offset = end_of({run, i}, tag->what, tag->end);
          }
        } else if (const std::uint64_t behind = end_of({run, i}, event.kind(), event.end());
                   behind > event.begin()) {
          state.offset = behind;
        }
      }
    }
    return state;
  }

 private:
  static constexpr std::size_t kinds = static_cast<std::size_t>(markup_event_kind::chunk_begins) + 1;

  /// A tag that had been cut.
  struct mended_tag {
    markup_event_kind what;
    std::uint64_t end;
    std::string href;
  };

  [[nodiscard]] std::uint64_t end_of(event_position at, markup_event_kind what, std::uint64_t tag_end);
  [[nodiscard]] std::optional<mended_tag> mend(event_position at) const;

  const event_runs& runs_;
  // The source that has no event of a kind any more, plus one.
  std::array<std::uint64_t, kinds> without_{};
};

}  // namespace duomap::apps
