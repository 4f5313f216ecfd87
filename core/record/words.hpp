// Record format: words of a text.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap {

/// A word is a maximal run of ASCII letters, digits, apostrophes and bytes >= 0x80, so that words in UTF-8
/// stay whole. map gets each word once, as a view of its bytes only.
struct words {
  using record = byte_view;

  /// If true, map sees ASCII capital letters as small ones.
  bool lower_case = false;

  [[nodiscard]] DUOMAP_HD static constexpr bool is_word_byte(char c) {
    const auto u = static_cast<unsigned char>(c);
    const unsigned letter = (u | 0x20u) - 'a';
    const unsigned digit = static_cast<unsigned>(u) - '0';
    return letter < 26 || digit < 10 || u == '\'' || u >= 0x80;
  }

  /// 64 KiB are about 60 us of work for one core. Such grains are small enough that workers end together, and
  /// large enough that the cost of a chunk does not matter.
  [[nodiscard]] static constexpr std::uint64_t grain() { return torture ? 11 : 64 * 1024; }

  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from, std::uint64_t limit) const {
    if (from == 0 || !is_word_byte(source[from - 1])) return from;
    while (from < limit && is_word_byte(source[from])) ++from;
    return from;
  }

  [[nodiscard]] std::uint64_t last_start(byte_view block) const {
    std::uint64_t end = block.size;
    while (end > 0 && is_word_byte(block[end - 1])) --end;
    return end;
  }

  /// Calls use(word) for every word of the chunk, in order. Does not change the case of letters. This is the
  /// plain definition of words, against which faster scanners are tested.
  template <class Use>
  DUOMAP_HD void for_each_record(const chunk& part, Use&& use) const {
    std::uint64_t at = 0;
    while (true) {
      while (at < part.size && !is_word_byte(part.data[at])) ++at;
      if (at == part.size) return;
      const std::uint64_t start = at;
      while (at < part.size && is_word_byte(part.data[at])) ++at;
      use(byte_view{part.data + start, at - start});
    }
  }
};

}  // namespace duomap
