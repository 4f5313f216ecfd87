// Puts links into partitions by the hashes of their targets, so that the targets of one partition fit into a
// near cache.
// host only
#pragma once

#include "apps/tasks/invertedindex/resolve_links.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/untouched_allocator.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace duomap::apps {

/// The addresses of links, by partition. Each partition keeps the order in which links were added. The
/// addresses lie in pieces of 2 KiB, and the thread that fills a piece is the first to touch its memory.
/// Copies of the links would take four times the memory, and clearing that memory took half of the time of
/// copying.
class partitioned_links {
 public:
  partitioned_links() = default;
  /// Makes room for `most` links.
  explicit partitioned_links(std::uint64_t most)
    : links_(most_pieces(most) * piece_links), behind_(most_pieces(most)) {}

  /// Bytes of room for `most` links.
  [[nodiscard]] static constexpr std::uint64_t bytes_for(std::uint64_t most) {
    return most_pieces(most) * (piece_links * sizeof(const link_event*) + sizeof(std::uint32_t));
  }

  /// Adds a link by its address, which must not change.
  void add(const link_event& link) {
    bucket& to = buckets_[partition_of(link.key.hash())];
    if (to.count % piece_links == 0) extend(to);
    links_[to.next++] = &link;
    ++to.count;
  }

  [[nodiscard]] std::uint64_t count(unsigned partition) const { return buckets_[partition].count; }

  /// Calls use(pointers to links) for each piece of a partition, in order.
  template <class Use>
  void for_each_piece(unsigned partition, Use&& use) const {
    std::uint32_t piece = buckets_[partition].first;
    for (std::uint64_t left = buckets_[partition].count; left > 0; piece = behind_[piece]) {
      const std::uint64_t size = std::min(left, piece_links);
      use(std::span(links_).subspan(piece * piece_links, size));
      left -= size;
    }
  }

 private:
  static constexpr std::uint64_t piece_links = torture ? 2 : 256;

  // Each partition with links may have one piece that is not full.
  static constexpr std::uint64_t most_pieces(std::uint64_t links) {
    return links / piece_links + std::min<std::uint64_t>(links, partition_count);
  }

  struct bucket {
    std::uint64_t count = 0;
    std::uint64_t next = 0;   // index of the next link, in a piece that is not full
    std::uint32_t first = 0;  // the first piece
  };

  void extend(bucket& to) {
    const std::uint32_t piece = pieces_++;
    (to.count == 0 ? to.first : behind_[(to.next - 1) / piece_links]) = piece;
    to.next = piece * piece_links;
  }

  std::vector<const link_event*, untouched_allocator<const link_event*>> links_;
  std::vector<std::uint32_t> behind_;  // for each piece the next piece of its partition; unset for the last
  std::array<bucket, partition_count> buckets_{};
  std::uint32_t pieces_ = 0;  // the number of pieces in use
};

}  // namespace duomap::apps
