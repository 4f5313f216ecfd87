// Finds a byte in a text.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/load.hpp"

#include <cstdint>
#include <cstring>

namespace duomap {

namespace detail {

inline constexpr std::uint64_t each_byte = 0x0101010101010101u;

/// The first position, from `from` on, of a byte that map_word() turns into `byte`; text.size if there is
/// none. map_word() maps eight bytes at once. All words but the first and the last have aligned addresses.
template <class MapWord>
[[nodiscard]] DUOMAP_HD std::uint64_t find_mapped_byte(byte_view text, char byte, std::uint64_t from,
                                                       const MapWord& map_word) {
  const std::uint64_t wanted = each_byte * static_cast<unsigned char>(byte);
  std::uint64_t step = 8 - (reinterpret_cast<std::uintptr_t>(text.data) + from) % 8;
  for (std::uint64_t at = from; at < text.size; at += step, step = 8) {
    if (step > text.size - at) step = text.size - at;
    const std::uint64_t word =
        step == 8 ? load_eight(text.data + at) : load_some(text.data + at, static_cast<unsigned>(step));
    // A byte of `hits` is 0x80 if the byte of `differs` is 0. A byte above such a byte may be 0x80 by
    // mistake, but only the lowest one is used.
    const std::uint64_t differs = map_word(word) ^ wanted;
    const std::uint64_t hits = (differs - each_byte) & ~differs & each_byte * 0x80;
    // A short word has zeros behind its end. They must not count if the wanted byte is 0.
    if (hits != 0 && zero_bytes_below(hits) < step) return at + zero_bytes_below(hits);
  }
  return text.size;
}

}  // namespace detail

/// The first position of `byte`, from `from` on; text.size if there is none.
[[nodiscard]] DUOMAP_HD inline std::uint64_t find_byte(byte_view text, char byte, std::uint64_t from = 0) {
#if defined(__CUDA_ARCH__)
  return detail::find_mapped_byte(text, byte, from, [](std::uint64_t word) { return word; });
#else
  if (from >= text.size) return text.size;
  const void* const place = std::memchr(text.data + from, static_cast<unsigned char>(byte), text.size - from);
  return place == nullptr ? text.size
                          : static_cast<std::uint64_t>(static_cast<const char*>(place) - text.data);
#endif
}

/// Finds a byte that is probably far away. On a GPU a thread waits for each word that find_byte() reads. This
/// function reads 16 words at once, and the thread waits once for all of them.
[[nodiscard]] DUOMAP_HD inline std::uint64_t find_far_byte(byte_view text, char byte, std::uint64_t from) {
#if defined(__CUDA_ARCH__)
  constexpr unsigned words = 16;
  const std::uint64_t wanted = detail::each_byte * static_cast<unsigned char>(byte);
  for (; from < text.size && text.size - from >= 8 * words; from += 8 * words) {
    std::uint64_t hits = 0;
#pragma unroll
    for (unsigned i = 0; i < words; ++i) {
      const std::uint64_t differs = load_eight(text.data + from + 8 * i) ^ wanted;
      hits |= (differs - detail::each_byte) & ~differs & detail::each_byte * 0x80;
    }
    if (hits != 0) break;
  }
#endif
  return find_byte(text, byte, from);
}

}  // namespace duomap
