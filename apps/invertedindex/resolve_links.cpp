#include "apps/invertedindex/resolve_links.hpp"

#include "core/untouched_allocator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace duomap::apps {
namespace {

using kind = markup_event_kind;
using entry = keyed_entry<markup_event>;
constexpr std::size_t kinds = static_cast<std::size_t>(kind::chunk_begins) + 1;

/// Copied out of its run: a walk looks at one of thirty, and would wait for each.
struct seen_event {
  markup_event value;
  const entry* emit;
};
using events = std::span<const seen_event>;

/// What ends what hides markup.
std::optional<kind> end_of(kind what) {
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

/// The walk through one source.
class walk {
 public:
  walk(events all, link_context& found) : all_(all), found_(found) {
    for (std::size_t i = 0; i < all_.size(); ++i) behind_last_[index(all_[i].value.kind())] = i + 1;
  }

  void go() {
    while (at_ < all_.size()) {
      const markup_event& event = all_[at_].value;
      if (event.begin() < from_) {
        ++at_;
      } else if (event.kind() == kind::cut_tag) {
        mend(*all_[at_].emit);
      } else {
        pass(event.kind(), event.begin(), event.end());
      }
    }
  }

 private:
  static std::size_t index(kind what) { return static_cast<std::size_t>(what); }

  /// Goes on behind the event at at_, which means `what` and is a tag from `begin` to `end`; `end` is `begin`
  /// when no '<' stands in it.
  void pass(kind what, std::uint64_t begin, std::uint64_t end) {
    ++at_;
    const auto ends = end_of(what);
    if (ends && hide_up_to(*ends, begin, end)) return;
    if (end > begin) {
      hide(begin + 1, end);
      from_ = end;
    }
  }

  /// Hides everything up to the next event of a kind behind `end`. False when there is none.
  bool hide_up_to(kind what, std::uint64_t begin, std::uint64_t end) {
    const std::size_t behind_last = behind_last_[index(what)];
    if (behind_last <= at_ || all_[behind_last - 1].value.begin() < end) return false;
    while (all_[at_].value.kind() != what || all_[at_].value.begin() < end) ++at_;
    from_ = all_[at_].value.begin();
    hide(begin, from_);
    return true;
  }

  void hide(std::uint64_t begin, std::uint64_t end) {
    found_.hidden.push_back({all_[0].value.source(), begin, end});
  }

  /// Reads a tag on in the chunks behind its own.
  void mend(const entry& cut) {
    const std::uint64_t begin = cut.value.begin();
    std::string bytes(cut.key.bytes().text());
    tag read;
    for (std::size_t next = at_ + 1;; ++next) {
      const std::size_t first_tag = std::min(bytes.find('<'), bytes.size());
      read = read_tag({byte_view(bytes), first_tag});
      if (read.result != tag_end::cut) break;
      while (next < all_.size() && all_[next].value.kind() != kind::chunk_begins) ++next;
      // The bytes of a chunk that is not the next one are no continuation.
      if (next == all_.size() || all_[next].value.begin() != begin + 1 + bytes.size()) break;
      bytes += all_[next].emit->key.bytes().text();
    }
    if (read.result != tag_end::found) {
      ++at_;
      return;
    }
    const kind what = event_of(name_of_tag(byte_view(bytes)), read);
    if (what == kind::link)
      found_.mended.push_back({cut.value.source(), begin, std::string(read.href.text())});
    pass(what, begin, begin + 1 + read.end);
  }

  events all_;
  link_context& found_;
  std::array<std::size_t, kinds> behind_last_{};  // of each kind; 0 if there is none
  std::size_t at_ = 0;
  std::uint64_t from_ = 0;  // what begins before it is part of something else
};

}  // namespace

link_context resolve_links(const std::vector<event_slices>& parts, parallel& pool) {
  std::vector<std::vector<seen_event>> of_parts(parts.size());
  pool.for_each_index(parts.size(), [&](std::uint64_t i) {
    for (const auto slice : parts[i]) {
      for (const entry& one : slice) {
        if (one.value.kind() != kind::link || one.value.end() > one.value.begin())
          of_parts[i].push_back({one.value, &one});
      }
    }
  });
  std::vector<std::size_t> begins = {0};
  for (const auto& some : of_parts) begins.push_back(begins.back() + some.size());
  std::vector<seen_event, untouched_allocator<seen_event>> all(begins.back());
  pool.for_each_index(parts.size(), [&](std::uint64_t i) {
    std::ranges::copy(of_parts[i], all.begin() + static_cast<std::ptrdiff_t>(begins[i]));
  });

  link_context found;
  found.hidden.reserve(all.size() / 2);  // an end for each beginning
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(
        begin, all.end(), [&](const seen_event& one) { return one.value.source() != begin->value.source(); });
    walk(events(begin, end), found).go();
    begin = end;
  }
  return found;
}

}  // namespace duomap::apps
