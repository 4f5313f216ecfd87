// Makes the inverted index: link targets with the places that link to them.
// host only
#pragma once

#include "apps/tasks/invertedindex/find_links.hpp"
#include "apps/tasks/invertedindex/link_place.hpp"
#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/key_arena.hpp"
#include "core/memory_reservation.hpp"
#include "core/result/collected.hpp"
#include "core/untouched_allocator.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace duomap::apps {

/// A target, and the places that link to it.
struct link_target {
  compact_key key;
  std::uint64_t first;
  std::uint64_t count;
};

/// The links of a result, grouped by their targets.
class link_index {
 public:
  /// Makes the index. Drops events that are no links (resolve_links.hpp), decodes character references,
  /// groups links by target, and sorts the targets. Each worker first reads a range of the events and puts
  /// its links into partitions by their targets as written. Then each worker groups the links of some
  /// partitions. Targets that were written in several ways are merged after sorting. Takes memory from the
  /// budget of the result.
  /// @throws memory_exceeded
  link_index(collected_result<find_links> found, worker_pool& pool);

  /// The number of different targets, and of links.
  [[nodiscard]] std::uint64_t targets() const noexcept { return targets_.size(); }
  [[nodiscard]] std::uint64_t links() const noexcept { return places_.size(); }

  /// Calls use(target, places) for every target in the order of its bytes; its places are in the order of the
  /// input.
  template <class Use>
  void for_each(Use&& use) const {
    for (const link_target& target : targets_) use(target.key.bytes(), places_of(target));
  }

 private:
  using place_list = std::vector<link_place, untouched_allocator<link_place>>;

  [[nodiscard]] std::span<const link_place> places_of(const link_target& target) const {
    if (target.first < places_.size()) return std::span(places_).subspan(target.first, target.count);
    return std::span(merged_).subspan(target.first - places_.size(), target.count);
  }
  void merge_equal_targets(worker_pool& pool);

  collected_result<find_links> found_;                    // owns the bytes of targets
  memory_reservation held_;                               // for the members below
  std::vector<std::shared_ptr<const key_arena>> arenas_;  // the bytes of targets that were decoded or mended
  std::vector<link_target> targets_;                      // sorted
  place_list places_;                                     // grouped by target as written
  // The places of merged targets, once more. link_target::first counts these places from places_.size() on.
  place_list merged_;
};

}  // namespace duomap::apps
