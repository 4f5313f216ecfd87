// Which patterns begin at a position of a text: a filter of hashed beginnings, then a table of patterns.
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

/// A pattern in the table. It is found by its first `width` bytes, its head.
struct indexed_pattern {
  std::uint64_t head;   ///< those bytes, the first one lowest, zeros above
  std::uint32_t width;  ///< at most 8 and at most `size`
  std::uint32_t size;   ///< in bytes
  std::uint32_t first;  ///< of its bytes in pattern_index::bytes
  std::uint32_t pattern;
};

/// A set of patterns as devices get it; pattern_list (apps/stringmatch/pattern_list.hpp) owns the arrays.
/// What a position costs does not depend on the number of patterns, but on how many different widths heads
/// have: 1, 2 and 3 for patterns of that size, and one, 4 to 8 bytes, for all longer ones. Where a head
/// occurs, each pattern that has it is compared.
struct pattern_index {
  broadcast<std::uint32_t> filter;      ///< bits: whether a head has that hash
  broadcast<std::uint32_t> buckets;     ///< first pattern of each bucket, and behind the last
  broadcast<indexed_pattern> patterns;  ///< by bucket, in a bucket by size
  broadcast<char> bytes;                ///< in small letters when case is ignored
  std::uint64_t masks[4] = {};          ///< of the bytes of a head, by width
  std::uint32_t widths[4] = {};         ///< ascending
  std::uint32_t width_count = 0;
  std::uint32_t filter_bits = 6;  ///< log2 of the filter's size in bits
  std::uint32_t bucket_bits = 1;  ///< log2 of the number of buckets
  std::uint64_t only_head = 0;    ///< of the only pattern
  bool one_pattern = false;
  bool ignore_case = false;  ///< of ASCII letters

  DUOMAP_HD void visit_broadcast(auto&& visit) {
    visit(filter);
    visit(buckets);
    visit(patterns);
    visit(bytes);
  }

  /// Of a head and its width, by multiplication (Knuth, The Art of Computer Programming 3, section 6.4), of
  /// 32 bits because GPUs have no other.
  [[nodiscard]] DUOMAP_HD static constexpr std::uint32_t hash(std::uint64_t head, std::uint32_t width) {
    return static_cast<std::uint32_t>(head) * 0x9E3779B1u +
           static_cast<std::uint32_t>(head >> 32) * 0x85EBCA77u + width * 0xC2B2AE3Du;
  }

  /// Eight bytes of text as they are compared.
  [[nodiscard]] DUOMAP_HD std::uint64_t seen(std::uint64_t word) const {
    return ignore_case ? to_lower_ascii(word) : word;
  }

  /// Bit i: a pattern may begin at text + i, for i in [0, 32). Reads 40 bytes.
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

  /// Calls use(pattern) for every pattern that begins at a text, shorter ones first. `window`: the first
  /// eight bytes that are readable there, seen(). Two patterns of one size never begin at one place.
  template <class Use>
  DUOMAP_HD void for_each_beginning(std::uint64_t window, byte_view text, Use&& use) const {
    for (std::uint32_t i = 0; i < width_count; ++i) {
      const std::uint64_t head = window & masks[i];
      const std::uint32_t hashed = hash(head, widths[i]);
      if (!may_be_head(hashed)) continue;
      const std::uint32_t bucket = hashed >> (32 - bucket_bits);
      for (std::uint32_t at = buckets[bucket]; at < buckets[bucket + 1]; ++at) {
        const indexed_pattern& one = patterns[at];
        if (one.head == head && one.width == widths[i] && one.size <= text.size && has_rest(one, text))
          use(one.pattern);
      }
    }
  }

 private:
  [[nodiscard]] DUOMAP_HD bool may_be_head(std::uint32_t hashed) const {
    const std::uint32_t bit = hashed >> (32 - filter_bits);
    return (filter[bit / 32] >> bit % 32 & 1) != 0;
  }

  /// For the eight positions of `word`, which `next` follows: the pattern's first bytes, three at most.
  [[nodiscard]] DUOMAP_HD std::uint32_t only_candidates(std::uint64_t word, std::uint64_t next) const {
    std::uint64_t tops = equal_tops(word, static_cast<char>(only_head & 0xFF));
    if (widths[0] >= 2) tops &= equal_tops(word >> 8 | next << 56, static_cast<char>(only_head >> 8 & 0xFF));
    if (widths[0] >= 3)
      tops &= equal_tops(word >> 16 | next << 48, static_cast<char>(only_head >> 16 & 0xFF));
    // Bit 7 of byte i to bit i.
    return static_cast<std::uint32_t>((tops >> 7) * 0x0102040810204080u >> 56);
  }

  /// The same by the filter.
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

  [[nodiscard]] DUOMAP_HD bool has_rest(const indexed_pattern& one, byte_view text) const {
    const std::uint32_t size = one.size - one.width;
    if (size == 0) return true;
    const byte_view rest{bytes.data + one.first + one.width, size};
    const byte_view there = text.sub(one.width, size);
    return ignore_case ? equal_ignoring_case(there, rest) : equal(there, rest);
  }
};

}  // namespace duomap::apps
