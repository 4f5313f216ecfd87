// Finds where records of text begin and end, as bit masks over bytes.
#pragma once

#include "core/chunk.hpp"
#include "core/record/formats.hpp"
#include "core/record/lines.hpp"
#include "core/record/words.hpp"
#include "gpu/record/chunk_padding.hpp"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

namespace detail {

/// Gathers bit 7 of each byte into the low four bits.
[[nodiscard]] __device__ inline std::uint32_t gather_tops(std::uint32_t bytes) {
  return (bytes >> 7 & 0x01010101u) * 0x01020408u >> 24;
}

/// Whether one of the four bytes of `word` is the byte of which `four` has four.
[[nodiscard]] __device__ inline bool has_byte(std::uint32_t word, std::uint32_t four) {
  const std::uint32_t differs = word ^ four;
  return ((differs - 0x01010101u) & ~differs & 0x80808080u) != 0;
}
[[nodiscard]] __device__ inline bool has_byte(const uint4& words, std::uint32_t four) {
  return has_byte(words.x, four) || has_byte(words.y, four) || has_byte(words.z, four) ||
         has_byte(words.w, four);
}

}  // namespace detail

/// The rule by which a format's records lie in text: a byte is inside a record or outside, and a record ends
/// before the first byte that is outside.
///   inside(four bytes)     four bits, one for each byte, the lowest for the first byte
///   starts(mask, before)   the bytes at which a record starts, for the mask of 32 bytes and the bit of the
///                          byte before them
///   before_chunk           that bit at the beginning of a chunk, so that a record may start there
///   most_starts            the most records that can start in a tile
///   most_are_short         whether most records have at most seven bytes
template <class Format>
struct text_rule;

template <>
struct text_rule<words> {
  static constexpr bool before_chunk = false;
  static constexpr unsigned most_starts = tile_bytes / 2;
  static constexpr bool most_are_short = true;

  // For each byte: adding 0x80 - c to the low 7 bits sets bit 7 if they are at least c, and never carries
  // into the next byte.
  [[nodiscard]] __device__ static std::uint32_t inside(std::uint32_t bytes) {
    const std::uint32_t ascii = bytes & 0x7F7F7F7Fu;
    const std::uint32_t lower = ascii | 0x20202020u;
    const std::uint32_t letter = (lower + 0x1F1F1F1Fu) & ~(lower + 0x05050505u);  // 'a' to 'z'
    const std::uint32_t digit = (ascii + 0x50505050u) & ~(ascii + 0x46464646u);   // '0' to '9'
    const std::uint32_t apostrophe = ~((ascii ^ 0x27272727u) + 0x7F7F7F7Fu);
    return detail::gather_tops(letter | digit | apostrophe | bytes);
  }
  [[nodiscard]] __device__ static std::uint32_t starts(std::uint32_t mask, std::uint32_t before) {
    return mask & ~(mask << 1 | before);
  }
};

template <>
struct text_rule<lines> {
  static constexpr bool before_chunk = false;  // as if a newline came before the chunk
  static constexpr unsigned most_starts = tile_bytes;
  static constexpr bool most_are_short = false;

  [[nodiscard]] __device__ static std::uint32_t inside(std::uint32_t bytes) {
    const std::uint32_t difference = bytes ^ 0x0A0A0A0Au;
    return detail::gather_tops(((difference & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | difference);
  }
  [[nodiscard]] __device__ static std::uint32_t starts(std::uint32_t mask, std::uint32_t before) {
    return ~(mask << 1 | before);
  }
};

template <>
struct text_rule<fields> : text_rule<lines> {};

/// '<' separates fragments as newlines separate lines.
template <>
struct text_rule<markup> : text_rule<lines> {
  [[nodiscard]] __device__ static std::uint32_t inside(std::uint32_t bytes) {
    const std::uint32_t difference = bytes ^ 0x3C3C3C3Cu;
    return detail::gather_tops(((difference & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | difference);
  }
};

/// Makes the record of a format that begins at `start` of a chunk.
[[nodiscard]] __device__ inline byte_view text_record(const words&, const chunk& part, std::uint64_t start,
                                                      std::uint64_t size) {
  return {part.data + start, size};
}
[[nodiscard]] __device__ inline line text_record(const lines&, const chunk& part, std::uint64_t start,
                                                 std::uint64_t size) {
  return {{part.data + start, size}, part.offset + start, part.source};
}
template <std::same_as<fields> Format>
[[nodiscard]] __device__ typename Format::record text_record(const Format& format, const chunk& part,
                                                             std::uint64_t start, std::uint64_t size,
                                                             bool may_have_quote) {
  return format.fields_of(text_record(lines{}, part, start, size), may_have_quote);
}
template <std::same_as<markup> Format>
[[nodiscard]] __device__ typename Format::record text_record(const Format& format, const chunk& part,
                                                             std::uint64_t start, std::uint64_t size) {
  return format.fragment(part, start, size);
}

}  // namespace duomap::gpu
