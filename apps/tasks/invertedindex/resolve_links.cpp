#include "apps/tasks/invertedindex/resolve_links.hpp"

#include <algorithm>

namespace duomap::apps {
namespace {

using kind = markup_event_kind;

/// What ends what hides markup.
std::optional<kind> what_ends(kind what) {
  switch (what) {
    case kind::comment:
      return kind::comment_end;
    case kind::script:
      return kind::script_end;
    case kind::style:
      return kind::style_end;
    default:
      return std::nullopt;
  }
}

/// The first event of a kind and the same source that comes behind `at` and begins at `least` or later.
const link_event* next_event(const event_runs& runs, event_position& at, kind what, std::uint64_t least) {
  const std::uint32_t source = runs[at.run].source;
  for (++at.index; at.run < runs.size() && runs[at.run].source == source; ++at.run, at.index = 0) {
    const auto& entries = runs[at.run].entries;
    for (; at.index < entries.size(); ++at.index) {
      const markup_event& event = entries[at.index].value;
      if (event.kind() == what && event.begin() >= least) return &entries[at.index];
    }
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
  std::uint64_t before = 0;  // emits of the runs before
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
  // What a chunk begins with is said before the '<' that it follows.
  const std::uint64_t begin = event.begin() - (event.kind() == kind::chunk_begins ? 1 : 0);
  return before.source == event.source() && before.offset > begin ? before : walk_state{};
}

/// Up to where nothing begins behind the event at `at`, which means `what`, and is a tag up to `tag_end` if
/// there is a '<' in it.
std::uint64_t link_walk::end_of(event_position at, kind what, std::uint64_t tag_end) {
  const auto ends = what_ends(what);
  if (!ends) return tag_end;
  std::uint64_t& without = without_[static_cast<std::size_t>(*ends)];
  const std::uint64_t source = runs_[at.run].source;
  if (without == source + 1) return tag_end;
  if (const auto* const end = next_event(runs_, at, *ends, tag_end)) return end->value.begin();
  without = source + 1;
  return tag_end;
}

/// Reads a tag on in the chunks behind its own; nothing if it is none.
std::optional<link_walk::mended_tag> link_walk::mend(event_position at) const {
  const auto& cut = runs_[at.run].entries[at.index];
  const std::uint64_t begin = cut.value.begin();
  std::string bytes(cut.key.bytes().text());
  while (true) {
    const std::size_t first_tag = std::min(bytes.find('<'), bytes.size());
    const tag read = read_tag({byte_view(bytes), first_tag});
    if (read.result == tag_end::found) {
      const kind what = event_of(name_of_tag(byte_view(bytes)), read);
      return mended_tag{what, begin + 1 + read.end, std::string(read.href.text())};
    }
    if (read.result != tag_end::cut) return std::nullopt;
    const auto* const next = next_event(runs_, at, kind::chunk_begins, 0);
    // The bytes of a chunk that is not the next one are no continuation.
    if (next == nullptr || next->value.begin() != begin + 1 + bytes.size()) return std::nullopt;
    bytes += next->key.bytes().text();
  }
}

}  // namespace duomap::apps
