// The inverted index: link targets with the places that link to them.
// host only
#pragma once

#include "apps/invertedindex/find_links.hpp"
#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/key_arena.hpp"
#include "core/parallel.hpp"
#include "core/result/collected.hpp"

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

/// A target, and the part of its partition's places that link to it.
struct link_target {
  compact_key key;
  std::uint64_t first;
  std::uint64_t count;
};

/// The links of a result, by their targets.
class link_index {
 public:
  /// Drops what is no link (resolve_links.hpp), decodes character references, groups by hash, partition by
  /// partition, and sorts the targets.
  link_index(collected_result<find_links> found, parallel& pool);

  /// Number of different targets, and of links.
  [[nodiscard]] std::uint64_t targets() const noexcept { return order_.size(); }
  [[nodiscard]] std::uint64_t links() const noexcept { return links_; }

  /// Calls use(target, places) for every target in the order of its bytes; its places are in the order of the
  /// input.
  template <class Use>
  void for_each(Use&& use) const {
    for (const auto& [partition, index] : order_) {
      const part& of = parts_[partition];
      const link_target& target = of.targets[index];
      use(target.key.bytes(), std::span(of.places).subspan(target.first, target.count));
    }
  }

 private:
  struct part {
    std::vector<link_target> targets;
    std::vector<link_place> places;
  };
  struct target_place {
    std::uint32_t partition;
    std::uint32_t index;
  };

  collected_result<find_links> found_;  // owns the bytes of targets
  std::vector<std::shared_ptr<const key_arena>> decoded_;
  std::vector<part> parts_;
  std::vector<target_place> order_;
  std::uint64_t links_ = 0;
};

}  // namespace duomap::apps
