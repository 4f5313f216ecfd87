// Record format: fragments of HTML and XML, each between a '<' and the next one.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap {

/// The text between two '<'. A tag, a comment or a script may span several fragments, so only the fragments
/// before a fragment show of what kind it is.
struct markup_fragment {
  byte_view text;        ///< ends in front of the next '<', or with the source
  byte_view rest;        ///< the same text and all bytes behind it in the chunk
  std::uint64_t offset;  ///< place of the text in its source (decompressed); the fragment at 0 has no
                         ///< '<' before it
  std::uint32_t source;  ///< index of its source in the input
  bool begins_chunk;     ///< whether it is the first of its chunk
};

/// A fragment ends in front of a '<' or with the source. The first fragment begins with the source. If a '<'
/// ends the source, no fragment follows it.
struct markup {
  using record = markup_fragment;

  /// 256 KiB are about 200 us of work for one core. Each chunk makes the result a few bytes larger.
  [[nodiscard]] static constexpr std::uint64_t grain() { return torture ? 7 : 256 * 1024; }

  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from, std::uint64_t limit) const {
    if (from == 0 || source[from - 1] == '<') return from;
    // A fragment starts behind a '<'. So the '<' at limit - 1 starts a fragment at `limit`, which is also the
    // answer if there is no '<'.
    const std::uint64_t found = find_byte(source.sub(0, limit), '<', from);
    return found == limit ? limit : found + 1;
  }

  [[nodiscard]] std::uint64_t last_start(byte_view block) const {
    const std::size_t found = block.text().rfind('<');
    return found == std::string_view::npos ? 0 : found + 1;
  }

  /// Calls use(markup_fragment) for every fragment of the chunk, in order.
  template <class Use>
  DUOMAP_HD void for_each_record(const chunk& part, Use&& use) const {
    for (std::uint64_t start = 0; start < part.size;) {
      const std::uint64_t end = find_byte(part.bytes(), '<', start);
      use(fragment(part, start, end - start));
      start = end + 1;
    }
  }

  /// The fragment of `size` bytes that begins `start` bytes behind the beginning of a chunk.
  [[nodiscard]] DUOMAP_HD static markup_fragment fragment(const chunk& part, std::uint64_t start,
                                                          std::uint64_t size) {
    return {{part.data + start, size},
            {part.data + start, part.size - start},
            part.offset + start,
            part.source,
            start == 0};
  }
};

}  // namespace duomap
