// What a warp reads of a text at a time, and what must stand behind a chunk for that. host safe
#pragma once

#include "core/chunk.hpp"
#include "core/record/formats.hpp"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// Bytes of text that a warp takes at a time: 32 a lane, so that one 32-bit mask holds a lane's bytes.
inline constexpr unsigned tile_bytes = 32 * 32;
/// Bytes behind these that are loaded with them.
inline constexpr unsigned tile_lookahead = 64;

/// Of a record format: behind a chunk in device memory are `bytes` readable bytes, all of them `value`.
template <class Format>
struct chunk_padding {
  static constexpr std::uint64_t bytes = read_padding;
  static constexpr unsigned char value = 0;
};

/// `value` is part of no record.
template <class Format>
  requires std::same_as<Format, words> || std::same_as<Format, lines> || std::same_as<Format, fields> ||
      std::same_as<Format, markup>
struct chunk_padding<Format> {
  static constexpr std::uint64_t bytes = tile_bytes + tile_lookahead;
  static constexpr unsigned char value = std::same_as<Format, words>    ? 0
                                         : std::same_as<Format, markup> ? '<'
                                                                        : '\n';
};

/// The rest of the last strip, and the word that is read with its last position.
template <std::same_as<strips> Format>
struct chunk_padding<Format> {
  static constexpr std::uint64_t bytes = Format::width + read_padding;
  static constexpr unsigned char value = 0;
};

}  // namespace duomap::gpu
