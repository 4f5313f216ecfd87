#include "apps/invertedindex/link_index.hpp"

#include "apps/invertedindex/character_reference.hpp"
#include "apps/invertedindex/resolve_links.hpp"
#include "core/combining_table.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/parallel_sort.hpp"
#include "cpu/container/collecting_container.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

namespace duomap::apps {
namespace {

using entry = keyed_entry<markup_event>;

auto order_of(std::uint32_t source, std::uint64_t offset) { return std::tuple(source, offset); }

/// The value of a key in a table of numbers: the one it has, or `next` from now on.
template <class Table>
std::uint32_t number_of(Table& table, const compact_key& key, std::uint32_t next) {
  std::uint32_t number = next;
  table.reduce_stored(key, next, [&](std::uint32_t known, std::uint32_t) { return number = known; });
  return number;
}

/// Consecutive links, and the numbers of their targets.
class link_group {
 public:
  void read(const event_slices& slices, const link_context& context) {
    if (slices.empty()) return;
    slices_ = slices;
    std::uint64_t emits = 0;
    for (const auto slice : slices) emits += slice.size();
    target_of_.resize(emits);
    as_written_ = combining_table<std::uint32_t>(emits / 8);  // growing costs as much as filling it
    // What a chunk begins with is said before the '<' that it follows.
    const markup_event& first = slices.front().front().value;
    const auto from = order_of(first.source(), std::max<std::uint64_t>(first.begin(), 1) - 1);
    auto hidden = std::partition_point(
        context.hidden.begin(), context.hidden.end(),
        [&](const source_range& range) { return order_of(range.source, range.end) <= from; });
    auto mended =
        std::partition_point(context.mended.begin(), context.mended.end(),
                             [&](const mended_link& one) { return order_of(one.source, one.offset) < from; });
    std::uint32_t* target_of = target_of_.data();
    for_each_event([&](const entry& one) {
      *target_of = none;
      std::uint32_t& target = *target_of++;
      const markup_event& event = one.value;
      if (event.kind() != markup_event_kind::link && event.kind() != markup_event_kind::cut_tag) return;
      const auto place = order_of(event.source(), event.begin());
      while (hidden != context.hidden.end() && order_of(hidden->source, hidden->end) <= place) ++hidden;
      if (hidden != context.hidden.end() && order_of(hidden->source, hidden->begin) <= place) return;
      if (event.kind() == markup_event_kind::link) {
        target = count(one.key);
      } else if (mended != context.mended.end() && order_of(mended->source, mended->offset) == place) {
        target = count(cpu::store_bytes(byte_view(mended->href), *arena_));
        ++mended;
      }
    });
    sort_targets();
  }

  /// Calls use(target, links, index) for the targets of a partition: how many links of the group it has, in
  /// whose place those who know say where they belong; its number in the partition, kept for them.
  template <class Use>
  void for_each_target(std::uint64_t partition, Use&& use) {
    for (std::uint32_t i = begins_[partition]; i < begins_[partition + 1]; ++i) {
      const std::uint32_t target = by_partition_[i];
      use(targets_[target], links_[target], index_[target]);
    }
  }

  /// Writes the group's links, where for_each_target() was told that those of each target begin.
  void place_links(link_place* to) {
    const std::uint32_t* target_of = target_of_.data();
    for (const auto slice : slices_) {
      for (const entry& one : slice) {
        const std::uint32_t target = *target_of++;
        if (target != none) to[links_[target]++] = {one.value.source(), one.value.begin()};
      }
    }
  }

  [[nodiscard]] std::shared_ptr<const key_arena> arena() const { return arena_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  template <class Use>
  void for_each_event(Use&& use) const {
    for (const auto slice : slices_) {
      for (std::size_t i = 0; i < slice.size(); ++i) {
        // The table of targets is in no near cache, and a link that hides none of its misses waits for one.
        constexpr std::size_t ahead = 8;
        if (i + ahead < slice.size()) __builtin_prefetch(as_written_.home(slice[i + ahead].key.hash()));
        use(slice[i]);
      }
    }
  }

  /// The number of a target as it was written.
  std::uint32_t count(const compact_key& written) {
    const auto next = static_cast<std::uint32_t>(targets_.size());
    std::uint32_t target = number_of(as_written_, written, next);
    if (target == next) target = decode(written);
    ++links_[target];
    return target;
  }

  /// The number of the target that a new one means, which others may mean, too.
  std::uint32_t decode(const compact_key& written) {
    const auto next = static_cast<std::uint32_t>(targets_.size());
    const byte_view text = written.bytes();
    if (!has_reference(text)) return add(written);
    const compact_key key = cpu::store_bytes(byte_view(decode_references(text)), *arena_);
    // What is decoded and has an '&' is something else when it was written.
    const std::uint32_t target = number_of(has_reference(key.bytes()) ? decoded_ : as_written_, key, next);
    if (target == next) return add(key);
    as_written_.reduce_stored(written, 0, [&](std::uint32_t, std::uint32_t) { return target; });
    return target;
  }

  [[nodiscard]] static bool has_reference(byte_view text) {
    return std::memchr(text.data, '&', text.size) != nullptr;
  }

  std::uint32_t add(const compact_key& key) {
    targets_.push_back(key);
    links_.push_back(0);
    return static_cast<std::uint32_t>(targets_.size() - 1);
  }

  void sort_targets() {
    for (const compact_key& one : targets_) ++begins_[partition_of(one.hash()) + 1];
    for (unsigned p = 0; p < partition_count; ++p) begins_[p + 1] += begins_[p];
    by_partition_.resize(targets_.size());
    index_.resize(targets_.size());
    auto next = begins_;
    for (std::uint32_t i = 0; i < targets_.size(); ++i)
      by_partition_[next[partition_of(targets_[i].hash())]++] = i;
  }

  event_slices slices_;
  std::vector<std::uint32_t, untouched_allocator<std::uint32_t>> target_of_;  // for each event
  // The numbers of targets, by what was written, and of those whose meaning has an '&', by that.
  combining_table<std::uint32_t> as_written_;
  combining_table<std::uint32_t> decoded_;
  // By number; apart, because every link looks at the second.
  std::vector<compact_key> targets_;
  std::vector<std::uint64_t> links_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> by_partition_;
  std::array<std::uint32_t, partition_count + 1> begins_{};  // of partitions there
  std::shared_ptr<key_arena> arena_ = std::make_shared<key_arena>();
};

/// All emits in `count` parts of one size.
std::vector<event_slices> divide(const std::vector<emit_run<markup_event>>& runs, std::uint64_t emits,
                                 std::uint64_t count) {
  std::vector<event_slices> parts(count);
  std::uint64_t before = 0;
  std::uint64_t part = 0;
  for (const auto& run : runs) {
    for (std::uint64_t at = 0; at < run.entries.size();) {
      while (before + at >= emits * (part + 1) / count) ++part;
      const std::uint64_t end = std::min(run.entries.size(), emits * (part + 1) / count - before);
      parts[part].emplace_back(run.entries.data() + at, end - at);
      at = end;
    }
    before += run.entries.size();
  }
  return parts;
}

}  // namespace

link_index::link_index(collected_result<find_links> found, parallel& pool)
  : found_(std::move(found)), targets_(partition_count) {
  const auto parts = divide(found_.runs(), found_.size(), torture ? 3 : pool.workers());
  const link_context context = resolve_links(parts, pool);
  std::vector<link_group> groups(parts.size());
  pool.for_each_index(groups.size(), [&](std::uint64_t i) { groups[i].read(parts[i], context); });
  for (const link_group& group : groups) decoded_.push_back(group.arena());

  std::array<std::uint64_t, partition_count> links{};
  pool.for_each_index(partition_count, [&](std::uint64_t partition) {
    auto& targets = targets_[partition];
    combining_table<std::uint32_t, partition_bits> numbers;
    for (link_group& group : groups) {
      group.for_each_target(partition,
                            [&](const compact_key& target, std::uint64_t count, std::uint32_t& index) {
                              index = number_of(numbers, target, static_cast<std::uint32_t>(targets.size()));
                              if (index == targets.size()) targets.push_back({target, 0, 0});
                              targets[index].count += count;
                            });
    }
    std::uint64_t count = 0;
    for (const link_target& target : targets) count += target.count;
    links[partition] = count;
  });
  std::uint64_t all = 0;
  for (std::uint64_t& of_partition : links) all += std::exchange(of_partition, all);
  places_.resize(all);
  pool.for_each_index(partition_count, [&](std::uint64_t partition) {
    auto& targets = targets_[partition];
    std::vector<std::uint64_t> next;
    next.reserve(targets.size());
    for (std::uint64_t before = links[partition]; link_target & target : targets) {
      next.push_back(target.first = before);
      before += target.count;
    }
    for (link_group& group : groups) {
      group.for_each_target(partition, [&](const compact_key&, std::uint64_t& begin, std::uint32_t index) {
        const std::uint64_t count = begin;
        begin = next[index];
        next[index] += count;
      });
    }
  });
  pool.for_each_index(groups.size(), [&](std::uint64_t i) { groups[i].place_links(places_.data()); });

  for (std::uint32_t p = 0; p < partition_count; ++p) {
    for (std::uint32_t i = 0; i < targets_[p].size(); ++i) order_.push_back({p, i});
  }
  parallel_sort(
      order_,
      [&](const target_place& a, const target_place& b) {
        return targets_[a.partition][a.index].key.bytes().text() <
               targets_[b.partition][b.index].key.bytes().text();
      },
      pool);
}

}  // namespace duomap::apps
