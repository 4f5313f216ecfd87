// Loads up to eight bytes of a text, from any address, as one little-endian word.
#pragma once

#include "core/config.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace duomap {

// On the host these functions read only the wanted bytes. A GPU can load only aligned words, so there they
// read up to seven more bytes on either side. Such a byte shares a word, and so a page, with a wanted byte,
// so the load never faults. GPU memory for text is allocated in whole words (gpu/runtime/buffer.cuh), so such
// a byte belongs to nobody else.

namespace detail {

template <class Word>
[[nodiscard]] DUOMAP_HD inline Word load_as(const char* from) {
  Word word;
  memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace detail

/// Keeps the low `bytes` bytes of a word, and makes the bytes above 0. Requires bytes < 8.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t keep_bytes(std::uint64_t word, unsigned bytes) {
  return word & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

/// The eight bytes at `from`.
[[nodiscard]] DUOMAP_HD inline std::uint64_t load_eight(const char* from) {
#if defined(__CUDA_ARCH__)
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const auto* words = reinterpret_cast<const unsigned long long*>(address & ~std::uintptr_t{7});
  const unsigned shift = static_cast<unsigned>(address & 7) * 8;
  return shift == 0 ? words[0] : words[0] >> shift | words[1] << (64 - shift);
#else
  static_assert(std::endian::native == std::endian::little, "the first byte is a word's lowest");
  return detail::load_as<std::uint64_t>(from);
#endif
}

/// The first `bytes` < 8 bytes at `from`, with zeros above. If `bytes` is 0, `from` may be anything.
[[nodiscard]] DUOMAP_HD inline std::uint64_t load_some(const char* from, unsigned bytes) {
  if (bytes == 0) return 0;
#if defined(__CUDA_ARCH__)
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const auto* words = reinterpret_cast<const unsigned long long*>(address & ~std::uintptr_t{7});
  const unsigned before = static_cast<unsigned>(address & 7);
  std::uint64_t word = words[0] >> (8 * before);
  if (before + bytes > 8) word |= words[1] << (64 - 8 * before);
  return keep_bytes(word, bytes);
#else
  if (bytes >= 4) {
    // The two loads of four bytes may overlap.
    const std::uint64_t high = detail::load_as<std::uint32_t>(from + bytes - 4);
    return detail::load_as<std::uint32_t>(from) | high << (8 * (bytes - 4));
  }
  const auto byte = [from](unsigned i) {
    return std::uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
  };
  return byte(0) | byte(bytes / 2) | byte(bytes - 1);
#endif
}

/// The number of low bytes of a word that are 0. The word itself must not be 0.
[[nodiscard]] DUOMAP_HD inline unsigned zero_bytes_below(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned>(__ffsll(static_cast<long long>(word)) - 1) / 8;
#else
  return static_cast<unsigned>(std::countr_zero(word)) / 8;
#endif
}

}  // namespace duomap
