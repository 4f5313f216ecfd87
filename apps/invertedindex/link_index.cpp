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
#include <deque>
#include <string>
#include <tuple>
#include <utility>

namespace duomap::apps {
namespace {

using entry = keyed_entry<markup_event>;

auto order_of(std::uint32_t source, std::uint64_t offset) { return std::tuple(source, offset); }

/// The links of some consecutive runs, by partition, in order.
class link_group {
 public:
  using runs = std::vector<emit_run<markup_event>>;

  void read(const runs& all, std::size_t begin, std::size_t end, const link_context& context) {
    if (begin == end) return;
    // The '<' of a chunk's first fragment stands before the chunk.
    const auto from = order_of(all[begin].source, std::max<std::uint64_t>(all[begin].offset, 1) - 1);
    auto hidden = std::partition_point(
        context.hidden.begin(), context.hidden.end(),
        [&](const source_range& range) { return order_of(range.source, range.end) <= from; });
    auto mended =
        std::partition_point(context.mended.begin(), context.mended.end(),
                             [&](const mended_link& one) { return order_of(one.source, one.offset) < from; });
    for (std::size_t i = begin; i < end; ++i) {
      for (const entry& one : all[i].entries) {
        const markup_event& event = one.value;
        if (event.kind() != markup_event_kind::link && event.kind() != markup_event_kind::cut_tag) continue;
        const auto place = order_of(event.source(), event.begin());
        while (hidden != context.hidden.end() && order_of(hidden->source, hidden->end) <= place) ++hidden;
        if (hidden != context.hidden.end() && order_of(hidden->source, hidden->begin) <= place) continue;
        if (event.kind() == markup_event_kind::link) {
          add(one);
        } else if (mended != context.mended.end() && order_of(mended->source, mended->offset) == place) {
          add(own_.emplace_back(entry{cpu::store_bytes(byte_view(mended->href), *arena_), event}));
          ++mended;
        }
      }
    }
  }

  [[nodiscard]] const std::vector<const entry*>& of_partition(unsigned partition) const {
    return links_[partition];
  }
  [[nodiscard]] std::shared_ptr<const key_arena> arena() const { return arena_; }

 private:
  void add(const entry& one) {
    const byte_view target = one.key.bytes();
    const entry* kept = &one;
    if (std::memchr(target.data, '&', target.size) != nullptr) {
      const std::string decoded = decode_references(target);
      kept = &own_.emplace_back(entry{cpu::store_bytes(byte_view(decoded), *arena_), one.value});
    }
    links_[partition_of(kept->key.hash())].push_back(kept);
  }

  std::array<std::vector<const entry*>, partition_count> links_;
  std::deque<entry> own_;  // those that the result does not have in this form
  std::shared_ptr<key_arena> arena_ = std::make_shared<key_arena>();
};

/// Where runs are divided: about as many entries in each of `count` groups.
std::vector<std::size_t> divide(const link_group::runs& runs, std::uint64_t entries, std::size_t count) {
  std::vector<std::size_t> begins = {0};
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (before >= entries * begins.size() / count) begins.push_back(i);
    before += runs[i].entries.size();
  }
  begins.push_back(runs.size());
  return begins;
}

}  // namespace

link_index::link_index(collected_result<find_links> found, parallel& pool)
  : found_(std::move(found)), parts_(partition_count) {
  const auto& runs = found_.runs();
  const link_context context = resolve_links(runs, pool);

  const auto begins = divide(runs, found_.size(), torture ? 3 : 2 * std::size_t{pool.workers()});
  std::vector<link_group> groups(begins.size() - 1);
  pool.for_each_index(groups.size(),
                      [&](std::uint64_t i) { groups[i].read(runs, begins[i], begins[i + 1], context); });
  for (const link_group& group : groups) decoded_.push_back(group.arena());

  pool.for_each_index(partition_count, [&](std::uint64_t partition) {
    part& into = parts_[partition];
    std::uint64_t count = 0;
    for (const link_group& group : groups)
      count += group.of_partition(static_cast<unsigned>(partition)).size();
    if (count == 0) return;
    // How often each target occurs; then, which target it is.
    combining_table<std::uint64_t, partition_bits> table;
    for (const link_group& group : groups) {
      for (const entry* one : group.of_partition(static_cast<unsigned>(partition)))
        table.reduce_stored(one->key, 1, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    into.targets.reserve(table.size());
    std::uint64_t before = 0;
    table.for_each([&](auto& entry) {
      into.targets.push_back({entry.key, before, 0});
      before += std::exchange(entry.value, into.targets.size() - 1);
    });
    into.places.resize(count);
    for (const link_group& group : groups) {
      for (const entry* one : group.of_partition(static_cast<unsigned>(partition))) {
        table.reduce_stored(one->key, 0, [&](std::uint64_t index, std::uint64_t) {
          link_target& target = into.targets[index];
          into.places[target.first + target.count++] = {one->value.source(), one->value.begin()};
          return index;
        });
      }
    }
  });

  for (std::uint32_t p = 0; p < partition_count; ++p) {
    for (std::uint32_t i = 0; i < parts_[p].targets.size(); ++i) order_.push_back({p, i});
    links_ += parts_[p].places.size();
  }
  parallel_sort(
      order_,
      [&](const target_place& a, const target_place& b) {
        return parts_[a.partition].targets[a.index].key.bytes().text() <
               parts_[b.partition].targets[b.index].key.bytes().text();
      },
      pool);
}

}  // namespace duomap::apps
