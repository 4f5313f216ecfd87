// Record format: lines of a text.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap {

/// One line, without its newline, and its place.
struct line {
  byte_view text;
  std::uint64_t offset;  ///< place of its first byte in its source (decompressed)
  std::uint32_t source;  ///< index of its source in the input
};

/// A line ends with '\n' or with the source. A carriage return in front of the '\n' belongs to the line. The
/// last line needs no newline. An empty line is a record, too.
struct lines {
  using record = line;

  [[nodiscard]] static constexpr std::uint64_t grain() { return torture ? 7 : 64 * 1024; }

  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from, std::uint64_t limit) const {
    if (from == 0 || source[from - 1] == '\n') return from;
    // A line starts behind a newline. So the newline at limit - 1 starts a line at `limit`, which is also the
    // answer if there is no newline.
    const std::size_t newline = source.text().substr(0, limit).find('\n', from);
    return newline == std::string_view::npos ? limit : newline + 1;
  }

  [[nodiscard]] std::uint64_t last_start(byte_view block) const {
    const std::size_t newline = block.text().rfind('\n');
    return newline == std::string_view::npos ? 0 : newline + 1;
  }

  /// Calls use(line) for every line of the chunk, in order.
  template <class Use>
  DUOMAP_HD void for_each_record(const chunk& part, Use&& use) const {
    std::uint64_t start = 0;
    while (start < part.size) {
      const std::uint64_t end = find_byte(part.bytes(), '\n', start);
      use(line{{part.data + start, end - start}, part.offset + start, part.source});
      start = end + 1;
    }
  }
};

}  // namespace duomap
