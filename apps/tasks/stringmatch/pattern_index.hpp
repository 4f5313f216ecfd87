// Finds the patterns that begin at a position of a text. A filter of hashed beginnings comes first, then a
// trie for each beginning.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/task.hpp"
#include "core/text/compare.hpp"
#include "core/text/count.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/load.hpp"

#include <cstdint>

namespace duomap::apps {

/// A node of a compressed trie (Morrison, "PATRICIA", JACM 15, 1968). Its bytes are those that all patterns
/// below the node share and that the nodes above do not have yet.
struct pattern_node {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t first = 0;        ///< index of its bytes in pattern_index::bytes
  std::uint32_t size = 0;         ///< in bytes
  std::uint32_t pattern = none;   ///< the pattern that ends with these bytes
  std::uint32_t children = 0;     ///< index of the first child in pattern_index::nodes; sorted by first byte
  std::uint32_t child_count = 0;  ///< at most 256
};

/// All patterns with the same first bytes. These bytes are their head, by which the index finds them.
struct indexed_head {
  std::uint64_t head;   ///< the bytes of the head, the first one lowest, zeros above
  std::uint32_t width;  ///< the number of bytes of the head, at most 8
  pattern_node root;    ///< the trie of the bytes behind the head
};

/// A set of patterns in the form for devices; pattern_list (apps/tasks/stringmatch/pattern_list.hpp) owns the
/// arrays. The cost of a position in the text does not grow with the number of patterns. It grows with the
/// number of different widths of heads, at most four: 1, 2 and 3 bytes for patterns of that size, and one
/// width of 4 to 8 bytes for all longer patterns. Where a head occurs, the search goes down a trie as far as
/// the text agrees.
struct pattern_index {
  broadcast<std::uint32_t> filter;   ///< bit h is set if a head has the hash h
  broadcast<std::uint32_t> buckets;  ///< index of each bucket's first head; last the number of heads
  broadcast<indexed_head> heads;     ///< sorted by bucket
  broadcast<pattern_node> nodes;     ///< without the roots; the children of a node are neighbours
  broadcast<char> bytes;             ///< bytes of the nodes; lower case if case is ignored
  std::uint64_t masks[4] = {};       ///< for each width the bits of a head
  std::uint32_t widths[4] = {};      ///< ascending
  std::uint32_t width_count = 0;
  std::uint32_t filter_bits = 6;  ///< log2 of the filter's size in bits
  std::uint32_t bucket_bits = 1;  ///< log2 of the number of buckets
  std::uint64_t only_head = 0;    ///< the head of the only pattern
  bool one_pattern = false;
  bool ignore_case = false;  ///< ignores the case of ASCII letters

  DUOMAP_HD void visit_broadcast(auto&& visit) {
    visit(filter);
    visit(buckets);
    visit(heads);
    visit(nodes);
    visit(bytes);
  }

  /// Hashes a head and its width by multiplication (Knuth, The Art of Computer Programming 3, section 6.4).
  /// Uses 32 bits, because GPUs have no wider multiplication.
  [[nodiscard]] DUOMAP_HD static constexpr std::uint32_t hash(std::uint64_t head, std::uint32_t width) {
    return static_cast<std::uint32_t>(head) * 0x9E3779B1u +
           static_cast<std::uint32_t>(head >> 32) * 0x85EBCA77u + width * 0xC2B2AE3Du;
  }

  /// Eight bytes of text, ready to compare: in lower case if case is ignored.
  [[nodiscard]] DUOMAP_HD std::uint64_t seen(std::uint64_t word) const {
    return ignore_case ? to_lower_ascii(word) : word;
  }

  /// Bit i is set if a pattern may begin at text + i, for i in [0, 32). Reads 40 bytes.
  [[nodiscard]] DUOMAP_HD std::uint32_t candidates(const char* text) const {
    std::uint32_t found = 0;
    std::uint64_t word = seen(load_eight(text));
    for (std::uint32_t begin = 0; begin < 32; begin += 8) {
      const std::uint64_t next = seen(load_eight(text + begin + 8));
      found |= (one_pattern ? only_candidates(word, next) : hashed_candidates(word, next)) << begin;
      word = next;
    }
    return found;
  }

  /// Calls use(pattern) for every pattern that begins at `text`, shorter patterns first. `window`: the first
  /// eight bytes of `text`, through seen(). At most one pattern of each size begins there.
  template <class Use>
  DUOMAP_HD void for_each_beginning(std::uint64_t window, byte_view text, Use&& use) const {
    for (std::uint32_t i = 0; i < width_count; ++i) {
      const std::uint64_t head = window & masks[i];
      const std::uint32_t hashed = hash(head, widths[i]);
      if (!may_be_head(hashed)) continue;
      const std::uint32_t bucket = hashed >> (32 - bucket_bits);
      for (std::uint32_t at = buckets[bucket]; at < buckets[bucket + 1]; ++at) {
        const indexed_head& one = heads[at];
        if (one.head == head && one.width == widths[i] && widths[i] <= text.size)
          go_down(one.root, text.sub(widths[i], text.size - widths[i]), use);
      }
    }
  }

 private:
  [[nodiscard]] DUOMAP_HD bool may_be_head(std::uint32_t hashed) const {
    const std::uint32_t bit = hashed >> (32 - filter_bits);
    return (filter[bit / 32] >> bit % 32 & 1) != 0;
  }

  /// The candidates among the eight positions of `word`, for a single pattern: compares its first bytes, at
  /// most three. `next`: the eight bytes behind `word`.
  [[nodiscard]] DUOMAP_HD std::uint32_t only_candidates(std::uint64_t word, std::uint64_t next) const {
    std::uint64_t tops = equal_byte_mask(word, static_cast<char>(only_head & 0xFF));
    if (widths[0] >= 2)
      tops &= equal_byte_mask(word >> 8 | next << 56, static_cast<char>(only_head >> 8 & 0xFF));
    if (widths[0] >= 3)
      tops &= equal_byte_mask(word >> 16 | next << 48, static_cast<char>(only_head >> 16 & 0xFF));
    // Bit 7 of byte i becomes bit i.
    return static_cast<std::uint32_t>((tops >> 7) * 0x0102040810204080u >> 56);
  }

  /// The candidates among the eight positions of `word`, for several patterns: looks into the filter.
  [[nodiscard]] DUOMAP_HD std::uint32_t hashed_candidates(std::uint64_t word, std::uint64_t next) const {
    std::uint32_t found = 0;
    for (std::uint32_t k = 0; k < width_count; ++k) {
      const std::uint64_t mask = masks[k];
      const std::uint32_t width = widths[k];
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
      for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint64_t window = i == 0 ? word : word >> 8 * i | next << (64 - 8 * i);
        found |= (may_be_head(hash(window & mask, width)) ? 1u : 0u) << i;
      }
    }
    return found;
  }

  template <class Use>
  DUOMAP_HD void go_down(const pattern_node& root, byte_view text, Use&& use) const {
    for (const pattern_node* at = &root; at != nullptr; at = child(*at, text)) {
      if (at->size > text.size || !has_bytes(*at, text)) return;
      if (at->pattern != pattern_node::none) use(at->pattern);
      text = text.sub(at->size, text.size - at->size);
    }
  }

  [[nodiscard]] DUOMAP_HD bool has_bytes(const pattern_node& node, byte_view text) const {
    const byte_view rest{bytes.data + node.first, node.size};
    const byte_view there = text.sub(0, node.size);
    return node.size == 0 || (ignore_case ? equal_ignoring_case(there, rest) : equal(there, rest));
  }

  /// The child whose first byte is that of the text; nullptr if there is none.
  [[nodiscard]] DUOMAP_HD const pattern_node* child(const pattern_node& node, byte_view text) const {
    if (node.child_count == 0 || text.size == 0) return nullptr;
    const auto wanted = static_cast<unsigned char>(ignore_case ? to_lower_ascii(text[0]) : text[0]);
    const auto begins_with = [&](std::uint32_t i) {
      return static_cast<unsigned char>(bytes[nodes[node.children + i].first]);
    };
    std::uint32_t at = 0;
    for (std::uint32_t left = node.child_count; left > 1;) {
      const std::uint32_t half = left / 2;
      if (begins_with(at + half) <= wanted) at += half;
      left -= half;
    }
    return begins_with(at) == wanted ? &nodes[node.children + at] : nullptr;
  }
};

}  // namespace duomap::apps
