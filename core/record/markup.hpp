// Record format: fragments of HTML and XML, each from behind a '<' to the next one.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap {

/// The text between two '<'. A tag, a comment or a script may reach over several fragments, so the kind of a
/// fragment depends on the fragments before it.
struct markup_fragment {
  byte_view text;  ///< from behind its '<' to before the next one, or to the end of the source
  byte_view rest;  ///< from the same place to the end of the chunk, which is behind a '<' or the source's end
  std::uint64_t offset;  ///< of the text's first byte in its source (decompressed); a fragment at 0 has no
                         ///< '<' before it
  std::uint32_t source;  ///< index of its source in the input
  bool begins_chunk;     ///< whether it is the first of its chunk
};

/// A fragment ends before a '<' or with the source. The first begins with the source; no fragment stands
/// behind a '<' that ends the source.
struct markup {
  using record = markup_fragment;

  /// 256 KiB are some 200 us of work for one core. Each chunk costs a few bytes of the result that would not
  /// be kept otherwise.
  [[nodiscard]] static constexpr std::uint64_t grain() { return torture ? 7 : 256 * 1024; }

  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from, std::uint64_t limit) const {
    if (from == 0 || source[from - 1] == '<') return from;
    // A fragment starts behind a '<'. A '<' at limit - 1 starts a fragment at `limit`, which is not before
    // `limit`.
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
