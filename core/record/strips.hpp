// Record format: strips of a text, for tasks that look at every position of the text.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/record/lines.hpp"

#include <cstdint>

namespace duomap {

/// Some consecutive positions of a text. A strip also gives access to the bytes behind them in their chunk.
struct strip {
  const char* data;               ///< the byte at the first position
  std::uint32_t positions;        ///< 1 to strips::width; map looks for matches that begin at one of them
  std::uint64_t rest;             ///< bytes from `data` to the end of the chunk, which is the end of a line
  std::uint64_t offset;           ///< place of `data` in its source (decompressed)
  std::uint32_t source;           ///< index of its source in the input
  std::uint32_t newlines_before;  ///< newlines of its group before this strip
  bool ends_group;                ///< the last strip of its group
};

/// Any text as bytes. Every byte is a position of exactly one strip. A chunk ends behind a newline or with
/// the source, so a task can read a match within a line to its end, even beyond the strip. Strips come in
/// groups, and each group is in one chunk, which does not know the number of lines before it. So the number
/// of a line is the newlines of all earlier groups plus the newlines before the strip in its group.
struct strips {
  using record = strip;

  /// A strip has 32 bytes, which a thread of a GPU reads by two loads.
  static constexpr std::uint32_t width = 32;
  /// A group has 8 KiB of text, so the additional emit of some 32 bytes for each group costs little.
  static constexpr std::uint32_t group_strips = torture ? 2 : 256;
  static constexpr std::uint64_t group_bytes = std::uint64_t{width} * group_strips;

  [[nodiscard]] static constexpr std::uint64_t grain() { return lines::grain(); }
  [[nodiscard]] static std::uint64_t first_start(byte_view source, std::uint64_t from, std::uint64_t limit) {
    return lines{}.first_start(source, from, limit);
  }
  [[nodiscard]] static std::uint64_t last_start(byte_view block) { return lines{}.last_start(block); }

  /// The strip that begins `start` bytes behind the beginning of a chunk. `start` is a multiple of `width`.
  [[nodiscard]] DUOMAP_HD static strip strip_at(const chunk& part, std::uint64_t start,
                                                std::uint32_t newlines_before) {
    const std::uint64_t rest = part.size - start;
    return {part.data + start,
            rest < width ? static_cast<std::uint32_t>(rest) : width,
            rest,
            part.offset + start,
            part.source,
            newlines_before,
            rest <= width || (start + width) % group_bytes == 0};
  }

  /// Calls use(strip) for every strip of the chunk, in order.
  template <class Use>
  DUOMAP_HD void for_each_record(const chunk& part, Use&& use) const {
    std::uint32_t newlines = 0;
    for (std::uint64_t start = 0; start < part.size; start += width) {
      const strip next = strip_at(part, start, newlines);
      use(next);
      for (std::uint32_t i = 0; i < next.positions; ++i) newlines += next.data[i] == '\n' ? 1 : 0;
      if (next.ends_group) newlines = 0;
    }
  }
};

}  // namespace duomap
