// The inverted index: link targets with the places that link to them.
// host only
#pragma once

#include "apps/invertedindex/find_links.hpp"
#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/key_arena.hpp"
#include "core/parallel.hpp"
#include "core/result/collected.hpp"
#include "core/untouched_allocator.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace duomap::apps {

/// Where a link stands: the '<' of its tag.
struct link_place {
  std::uint32_t source;
  std::uint64_t offset;
  friend bool operator==(const link_place&, const link_place&) = default;
};

/// A target, and the places that link to it.
struct link_target {
  compact_key key;
  std::uint64_t first;
  std::uint64_t count;
};

/// The links of a result, by their targets.
class link_index {
 public:
  /// Drops what is no link (resolve_links.hpp), decodes character references, groups by target, and sorts the
  /// targets. Each worker numbers the targets of a part of the links; those numbers are made one, partition
  /// by partition; then each worker puts its links where they belong.
  link_index(collected_result<find_links> found, parallel& pool);

  /// Number of different targets, and of links.
  [[nodiscard]] std::uint64_t targets() const noexcept { return order_.size(); }
  [[nodiscard]] std::uint64_t links() const noexcept { return places_.size(); }

  /// Calls use(target, places) for every target in the order of its bytes; its places are in the order of the
  /// input.
  template <class Use>
  void for_each(Use&& use) const {
    for (const auto& [partition, index] : order_) {
      const link_target& target = targets_[partition][index];
      use(target.key.bytes(), std::span(places_).subspan(target.first, target.count));
    }
  }

 private:
  struct target_place {
    std::uint32_t partition;
    std::uint32_t index;
  };

  collected_result<find_links> found_;  // owns the bytes of targets
  std::vector<std::shared_ptr<const key_arena>> decoded_;
  std::vector<std::vector<link_target>> targets_;  // by partition
  std::vector<link_place, untouched_allocator<link_place>> places_;
  std::vector<target_place> order_;
};

}  // namespace duomap::apps
