// Lists the positions of a mask's bits, which is the last stage of a scan of 64 bytes.
// host only
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)

#include <immintrin.h>

#include <array>

namespace duomap::cpu {

/// A mask of the lowest `count` bits, or of all 64 bits if `count` is larger.
[[nodiscard]] inline std::uint64_t first_bits(std::uint32_t count) {
  return count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
}

// Each function writes `base` + the position of each bit of `mask`, in ascending order. It returns the place
// for the next positions.

/// Lists bits one by one, for masks with few bits.
inline std::uint16_t* list_few(std::uint64_t mask, std::uint32_t base, std::uint16_t* to) {
  for (; mask != 0; mask &= mask - 1)
    *to++ = static_cast<std::uint16_t>(base + static_cast<std::uint32_t>(std::countr_zero(mask)));
  return to;
}

/// Lists eight bits at a time, and so writes up to seven positions too many. English has 20 to 26 edges of
/// words in 64 bytes. A loop that ended after exactly these would be mispredicted nearly every time.
[[gnu::target("avx2,bmi,popcnt")]] inline std::uint16_t* list_in_eights(std::uint64_t mask,
                                                                        std::uint32_t base,
                                                                        std::uint16_t* to) {
  const int count = std::popcount(mask);
  for (int written = 0; written < count; written += 8) {
    for (int i = 0; i < 8; ++i) {
      to[written + i] = static_cast<std::uint16_t>(base + static_cast<std::uint32_t>(_tzcnt_u64(mask)));
      mask = _blsr_u64(mask);
    }
  }
  return to + count;
}

/// The bytes 0 to 63. Compressing them by a mask gives the list of the mask's bits.
alignas(64) inline constexpr auto ascending_bytes = [] {
  std::array<unsigned char, 64> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
  return bytes;
}();

/// Lists bits by whole vectors, and so writes up to 31 positions too many.
[[gnu::target("avx512f,avx512bw,avx512vbmi2,popcnt")]] inline std::uint16_t* list_compressed(
    std::uint64_t mask, std::uint32_t base, std::uint16_t* to) {
  const __m512i places = _mm512_maskz_compress_epi8(mask, _mm512_load_si512(ascending_bytes.data()));
  const __m512i block = _mm512_set1_epi16(static_cast<short>(base));
  const int count = std::popcount(mask);
  _mm512_storeu_si512(to, _mm512_add_epi16(block, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(places))));
  if (count > 32) {
    _mm512_storeu_si512(to + 32,
                        _mm512_add_epi16(block, _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(places, 1))));
  }
  return to + count;
}

}  // namespace duomap::cpu

#endif
