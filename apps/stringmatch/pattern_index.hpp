// Which patterns begin at a position of a text: a filter of hashed beginnings, then a table of patterns.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/task.hpp"
#include "core/text/compare.hpp"
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
  broadcast<std::uint64_t> filter;      ///< bits: whether a head has that hash
  broadcast<std::uint32_t> buckets;     ///< first pattern of each bucket, and behind the last
  broadcast<indexed_pattern> patterns;  ///< by bucket, in a bucket by size
  broadcast<char> bytes;                ///< in small letters when case is ignored
  std::uint32_t widths[4] = {};         ///< ascending
  std::uint32_t width_count = 0;
  std::uint32_t filter_bits = 6;  ///< log2 of the filter's size in bits
  std::uint32_t bucket_bits = 0;  ///< log2 of the number of buckets
  bool ignore_case = false;       ///< of ASCII letters

  DUOMAP_HD void visit_broadcast(auto&& visit) {
    visit(filter);
    visit(buckets);
    visit(patterns);
    visit(bytes);
  }

  /// Of a head and its width, by multiplication (Knuth, The Art of Computer Programming 3, section 6.4).
  [[nodiscard]] DUOMAP_HD static constexpr std::uint64_t hash(std::uint64_t head, std::uint32_t width) {
    return (head ^ std::uint64_t{width} << 61) * 0x9E3779B97F4A7C15u;
  }

  /// Eight bytes of text as they are compared.
  [[nodiscard]] DUOMAP_HD std::uint64_t seen(std::uint64_t word) const {
    return ignore_case ? to_lower_ascii(word) : word;
  }

  /// Calls use(pattern) for every pattern that begins at a text, shorter ones first. `window`: the first
  /// eight bytes that are readable there, seen(). Two patterns of one size never begin at one place.
  template <class Use>
  DUOMAP_HD void for_each_beginning(std::uint64_t window, byte_view text, Use&& use) const {
    for (std::uint32_t i = 0; i < width_count; ++i) {
      const std::uint32_t width = widths[i];
      const std::uint64_t head = width == 8 ? window : keep_bytes(window, width);
      const std::uint64_t hashed = hash(head, width);
      const std::uint64_t bit = hashed >> (64 - filter_bits);
      if ((filter[bit / 64] >> bit % 64 & 1) == 0) continue;
      const std::uint64_t bucket = hashed >> 1 >> (63 - bucket_bits);
      for (std::uint32_t at = buckets[bucket]; at < buckets[bucket + 1]; ++at) {
        const indexed_pattern& one = patterns[at];
        if (one.head == head && one.width == width && one.size <= text.size && has_rest(one, text))
          use(one.pattern);
      }
    }
  }

 private:
  [[nodiscard]] DUOMAP_HD bool has_rest(const indexed_pattern& one, byte_view text) const {
    const std::uint32_t size = one.size - one.width;
    if (size == 0) return true;
    const byte_view rest{bytes.data + one.first + one.width, size};
    const byte_view there = text.sub(one.width, size);
    return ignore_case ? equal_ignoring_case(there, rest) : equal(there, rest);
  }
};

}  // namespace duomap::apps
