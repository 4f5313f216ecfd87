// The bytes of text that a warp reads at a time, and the padding that a chunk needs behind it for that. host
// safe
#pragma once

#include "core/chunk.hpp"
#include "core/record/formats.hpp"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// Bytes of text that a warp takes at a time: 32 for each lane, so that a 32-bit mask describes a lane's
/// bytes.
inline constexpr unsigned tile_bytes = 32 * 32;
/// Bytes behind the tile that are loaded with it.
inline constexpr unsigned tile_lookahead = 64;

/// The padding of a record format: behind a chunk in device memory, `bytes` bytes with the value `value` must
/// be readable.
template <class Format>
struct chunk_padding {
  static constexpr std::uint64_t bytes = read_padding;
  static constexpr unsigned char value = 0;
};

/// `value` is a byte that is in no record.
template <class Format>
  requires std::same_as<Format, words> || std::same_as<Format, lines> || std::same_as<Format, fields> ||
      std::same_as<Format, markup>
struct chunk_padding<Format> {
  static constexpr std::uint64_t bytes = tile_bytes + tile_lookahead;
  static constexpr unsigned char value = std::same_as<Format, words>    ? 0
                                         : std::same_as<Format, markup> ? '<'
                                                                        : '\n';
};

/// The padding of strips: the rest of the last strip, and the word that is read at the strip's last position.
template <std::same_as<strips> Format>
struct chunk_padding<Format> {
  static constexpr std::uint64_t bytes = Format::width + read_padding;
  static constexpr unsigned char value = 0;
};

}  // namespace duomap::gpu
