// Cuts a text into chunks of whole lines for workers.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/record/lines.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace duomap {

/// Bytes of text in a chunk: about a millisecond's work.
inline constexpr std::uint64_t text_chunk_bytes = torture ? 16 : std::uint64_t{256} << 10;

/// Cuts the text from `from` on into chunks that begin and end between lines. A line longer than a chunk
/// makes its chunk longer. No chunk is empty.
[[nodiscard]] inline std::vector<byte_view> text_chunks(byte_view text, std::uint64_t from) {
  std::vector<byte_view> chunks;
  while (from < text.size) {
    const std::uint64_t wanted = std::min(from + text_chunk_bytes, text.size);
    const std::uint64_t end = lines{}.first_start(text, wanted, text.size);
    chunks.push_back(text.sub(from, end - from));
    from = end;
  }
  return chunks;
}

}  // namespace duomap
