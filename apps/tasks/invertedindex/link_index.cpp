// Makes the inverted index from the events of a run.
#include "apps/tasks/invertedindex/link_index.hpp"

#include "apps/tasks/invertedindex/character_reference.hpp"
#include "apps/tasks/invertedindex/partitioned_links.hpp"
#include "apps/tasks/invertedindex/resolve_links.hpp"
#include "core/combining_table.hpp"
#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/parallel_sort.hpp"
#include "cpu/container/collecting_container.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr const char* places_of_links = "the places of links";

/// The links of one range of events.
class link_group {
 public:
  link_group(const event_runs& runs, const event_range& range, const shared_budget& memory)
    : runs_(runs), range_(range), held_(memory), arena_(std::make_shared<key_arena>(memory)) {}

  /// Reads the links. `before`: the state in front of the range. Called again when that state was wrong.
  void read(const walk_state& before) {
    before_ = before;
    forget();
    held_.take(partitioned_links::bytes_for(emits()), places_of_links);
    links_ = partitioned_links(emits());
    mended_.clear();
    const auto add = [&](const link_event& link) {
      links_.add(link);
    };
    behind_ = walk(runs_, range_, before, add, [&](const link_event& cut, const std::string& target) {
      mended_.push_back({store_bytes(byte_view(target), *arena_), cut.value});
      add(mended_.back());
    });
  }

  void forget() {
    links_ = {};
    held_.give_back();
  }

  [[nodiscard]] const event_range& range() const { return range_; }
  [[nodiscard]] const walk_state& before() const { return before_; }
  [[nodiscard]] const walk_state& behind() const { return behind_; }
  [[nodiscard]] const partitioned_links& links() const { return links_; }
  [[nodiscard]] std::shared_ptr<const key_arena> arena() const { return arena_; }

 private:
  [[nodiscard]] std::uint64_t emits() const {
    std::uint64_t all = range_.end.index;
    for (std::size_t run = range_.begin.run; run < range_.end.run; ++run) all += runs_[run].entries.size();
    return all - range_.begin.index;
  }

  const event_runs& runs_;
  event_range range_;
  walk_state before_;
  walk_state behind_;
  memory_reservation held_;  // for the links
  partitioned_links links_;
  std::deque<link_event> mended_;     // links that were cut; a deque, because their addresses must stay
  std::shared_ptr<key_arena> arena_;  // for the targets of `mended_`
};

/// The links of all events, in groups. Workers first read each group as if no comment, tag or element from
/// before reached into it. Groups for which this was wrong are read again.
std::vector<link_group> read_groups(const event_runs& runs, const shared_budget& memory, worker_pool& pool) {
  std::vector<link_group> groups;
  for (const event_range& range : divide_events(runs, torture ? 3 : pool.workers()))
    groups.emplace_back(runs, range, memory);
  std::vector<std::pair<std::size_t, walk_state>> wrong;
  for (std::size_t i = 0; i < groups.size(); ++i) wrong.emplace_back(i, walk_state{});
  while (!wrong.empty()) {
    pool.for_each_index(wrong.size(), [&](std::uint64_t i) { groups[wrong[i].first].read(wrong[i].second); });
    wrong.clear();
    for (std::size_t i = 1; i < groups.size(); ++i) {
      const walk_state before = state_within(groups[i - 1].behind(), runs, groups[i].range());
      if (before != groups[i].before()) wrong.emplace_back(i, before);
    }
  }
  return groups;
}

/// Loads a target's text into the cache. A CPU's emits each have a text of their own, and comparing the texts
/// would wait for memory. A GPU's emits share texts.
void prefetch_text(const compact_key& key) {
  const char* const bytes = key.stored_bytes();
  if (bytes == nullptr) return;
  __builtin_prefetch(bytes - sizeof(std::uint64_t));
  __builtin_prefetch(bytes + 48);  // most texts are shorter
}

/// Links of one partition lie 8 KB apart in memory. An emit of a CPU may lie in two cache lines.
void prefetch_link(const link_event* link) {
  __builtin_prefetch(&link->key);
  __builtin_prefetch(&link->value);
}

/// A link of a partition, with the number of its target in the partition.
struct numbered_link {
  link_place place;
  std::uint32_t target;
};

/// Groups the links of one partition by their targets as written, and writes their places to `places`.
/// `first`: the index of places[0] among the places of all partitions.
std::vector<link_target> group_by_target(const std::vector<link_group>& groups, unsigned partition,
                                         link_place* places, std::uint64_t first, memory_reservation& held) {
  const auto for_each_piece = [&](const auto& use) {
    for (const link_group& group : groups) group.links().for_each_piece(partition, use);
  };
  std::uint64_t links = 0;
  for (const link_group& group : groups) links += group.links().count(partition);
  std::vector<link_target> targets;
  if (links == 0) return targets;  // a small page has few links; the table would be most of the work
  memory_reservation numbers_held(held.of());
  numbers_held.take(links * sizeof(numbered_link), places_of_links);
  std::vector<numbered_link, untouched_allocator<numbered_link>> numbered(links);
  numbered_link* next = numbered.data();
  combining_table<std::uint32_t, partition_bits> numbers(0, held.of());
  // A text is loaded 16 links before its use. The link that points to it is loaded another 16 links before.
  constexpr std::size_t ahead = 16;
  for_each_piece([&](std::span<const link_event* const> piece) {
    for (const link_event* link : piece.first(std::min(piece.size(), 2 * ahead))) prefetch_link(link);
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (i + 2 * ahead < piece.size()) prefetch_link(piece[i + 2 * ahead]);
      if (i + ahead < piece.size()) prefetch_text(piece[i + ahead]->key);
      const link_event& link = *piece[i];
      std::uint32_t target = static_cast<std::uint32_t>(targets.size());
      numbers.reduce_stored(link.key, target,
                            [&](std::uint32_t known, std::uint32_t) { return target = known; });
      if (target == targets.size()) targets.push_back({link.key, 0, 0});
      ++targets[target].count;
      *next++ = {{link.value.source(), link.value.begin()}, target};
    }
  });

  // Each target is in this list, in the list of all partitions, and in a copy while all targets are sorted.
  held.take(3 * targets.size() * sizeof(link_target), "the targets of links");
  std::uint64_t before = 0;
  for (link_target& target : targets) target.first = std::exchange(before, before + target.count);
  for (const numbered_link& link : numbered) places[targets[link.target].first++] = link.place;
  for (link_target& target : targets) target.first += first - target.count;
  return targets;
}

/// Decodes the targets. Returns the owner of the new bytes; null if no target changed.
std::shared_ptr<const key_arena> decode(std::vector<link_target>& targets, const shared_budget& memory) {
  std::shared_ptr<key_arena> arena;
  for (link_target& target : targets) {
    const byte_view text = target.key.bytes();
    if (is_decoded(text)) continue;
    if (!arena) arena = std::make_shared<key_arena>(memory);
    target.key = store_bytes(byte_view(decode_value(text)), *arena);
  }
  return arena;
}

}  // namespace

link_index::link_index(collected_result<find_links> found, worker_pool& pool)
  : found_(std::move(found)), held_(found_.memory()) {
  std::vector<link_group> groups = read_groups(found_.runs(), found_.memory(), pool);
  for (const link_group& group : groups) arenas_.push_back(group.arena());

  std::array<std::uint64_t, partition_count> begins{};
  std::uint64_t links = 0;
  for (unsigned p = 0; p < partition_count; ++p) {
    begins[p] = links;
    for (const link_group& group : groups) links += group.links().count(p);
  }
  held_.take(links * sizeof(link_place), places_of_links);
  places_.resize(links);
  std::vector<std::vector<link_target>> targets(partition_count);
  std::vector<std::shared_ptr<const key_arena>> decoded(partition_count);
  pool.for_each_index(partition_count, [&](std::uint64_t p) {
    targets[p] =
        group_by_target(groups, static_cast<unsigned>(p), places_.data() + begins[p], begins[p], held_);
    decoded[p] = decode(targets[p], held_.of());
  });
  // All workers free the memory, because one thread would take longer.
  pool.for_each_index(groups.size(), [&](std::uint64_t i) { groups[i].forget(); });

  for (const auto& some : targets) targets_.insert(targets_.end(), some.begin(), some.end());
  parallel_sort(
      targets_,
      [](const link_target& a, const link_target& b) { return a.key.bytes().text() < b.key.bytes().text(); },
      pool);
  std::erase(decoded, nullptr);
  if (decoded.empty()) return;
  arenas_.insert(arenas_.end(), decoded.begin(), decoded.end());
  merge_equal_targets(pool);
}

/// Merges targets that became equal by decoding. They stand side by side, because the targets are sorted.
void link_index::merge_equal_targets(worker_pool& pool) {
  struct merge {
    std::span<const link_target> of;
    std::uint64_t to;
  };
  std::vector<merge> merges;
  std::vector<link_target> distinct;
  std::uint64_t merged = 0;
  for (auto begin = targets_.begin(); begin != targets_.end();) {
    const auto is_other = [hash = begin->key.hash(), begin](const link_target& one) {
      return one.key.hash() != hash || !(one.key == begin->key);
    };
    const auto end = std::find_if(begin + 1, targets_.end(), is_other);
    distinct.push_back(*begin);
    if (end - begin > 1) {
      merges.push_back({{begin, end}, merged});
      distinct.back() = {begin->key, places_.size() + merged, 0};
      for (const link_target& one : merges.back().of) distinct.back().count += one.count;
      merged += distinct.back().count;
    }
    begin = end;
  }
  held_.take(merged * sizeof(link_place), places_of_links);
  merged_.resize(merged);
  pool.for_each_index(merges.size(), [&](std::uint64_t i) {
    const auto begin = merged_.begin() + static_cast<std::ptrdiff_t>(merges[i].to);
    auto end = begin;
    for (const link_target& one : merges[i].of) end = std::ranges::copy(places_of(one), end).out;
    std::sort(begin, end);
  });
  targets_ = std::move(distinct);
}

}  // namespace duomap::apps
