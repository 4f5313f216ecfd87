// Looks up pairs of neighbouring bytes in a table, for each vector path.
#include "cpu/scan/beginnings.hpp"

#include "cpu/scan/list_positions.hpp"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace duomap::cpu {
namespace {

candidates find_portable(const char* text, std::uint32_t count, const beginnings& wanted,
                         std::uint16_t* positions) {
  candidates found;
  for (std::uint32_t i = 0; i < count; ++i) {
    positions[found.count] = static_cast<std::uint16_t>(i);
    found.count += wanted.allows(text + i) ? 1u : 0u;
    found.newlines += text[i] == '\n' ? 1u : 0u;
  }
  return found;
}

#if defined(__x86_64__)

/// For 32 pairs (a, b), the bits of the pairs that the table does not allow. A table is eight registers, and
/// bits 2 to 4 of a choose one of them.
[[gnu::target("avx2,bmi,popcnt")]] inline std::uint32_t forbidden(const __m256i (&table)[8], __m256i a,
                                                                  __m256i b) {
  const __m256i bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201u));
  const __m256i row = _mm256_and_si256(_mm256_slli_epi16(a, 2), _mm256_set1_epi8(0xC));
  const __m256i column = _mm256_and_si256(_mm256_srli_epi16(b, 3), _mm256_set1_epi8(3));
  const __m256i index = _mm256_or_si256(row, column);
  // blendv looks only at the top bit of each byte. So the bits that a shift of 16-bit words brings in from
  // the neighbouring byte do not matter.
  const __m256i bit2 = _mm256_slli_epi16(a, 5), bit3 = _mm256_slli_epi16(a, 4),
                bit4 = _mm256_slli_epi16(a, 3);
  __m256i pairs[4];
  for (unsigned i = 0; i < 4; ++i) {
    pairs[i] = _mm256_blendv_epi8(_mm256_shuffle_epi8(table[2 * i], index),
                                  _mm256_shuffle_epi8(table[2 * i + 1], index), bit2);
  }
  const __m256i bytes = _mm256_blendv_epi8(_mm256_blendv_epi8(pairs[0], pairs[1], bit3),
                                           _mm256_blendv_epi8(pairs[2], pairs[3], bit3), bit4);
  const __m256i bits = _mm256_shuffle_epi8(bit_of, _mm256_and_si256(b, _mm256_set1_epi8(7)));
  return static_cast<std::uint32_t>(
      _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(bytes, bits), _mm256_setzero_si256())));
}

[[gnu::target("avx2,bmi,popcnt")]] inline __m256i load(const char* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

[[gnu::target("avx2,bmi,popcnt")]] candidates find_avx2(const char* text, std::uint32_t count,
                                                        const beginnings& wanted, std::uint16_t* positions) {
  __m256i tables[beginnings::places][8];
  for (unsigned i = 0; i < beginnings::places; ++i) {
    for (unsigned k = 0; k < 8; ++k) {
      const auto* const part = reinterpret_cast<const __m128i*>(wanted.place(i).data()) + k;
      tables[i][k] = _mm256_broadcastsi128_si256(_mm_load_si128(part));
    }
  }
  candidates found;
  std::uint16_t* next = positions;
  char last[64] = {};
  for (std::uint32_t base = 0; base < count; base += 32) {
    const char* at = text + base;
    std::uint32_t valid = ~0u;
    if (const std::uint32_t left = count - base; left < 32) {
      valid = (1u << left) - 1;
      std::memcpy(last, at, left + 3);
      at = last;
    }
    const __m256i zero = load(at), one = load(at + 1), two = load(at + 2), three = load(at + 3);
    const __m256i newline = _mm256_cmpeq_epi8(zero, _mm256_set1_epi8('\n'));
    found.newlines += static_cast<std::uint32_t>(
        std::popcount(static_cast<std::uint32_t>(_mm256_movemask_epi8(newline)) & valid));
    const std::uint32_t mask = valid & ~(forbidden(tables[0], zero, one) | forbidden(tables[1], one, two) |
                                         forbidden(tables[2], two, three));
    next = list_few(mask, base, next);
  }
  found.count = static_cast<std::uint32_t>(next - positions);
  return found;
}

/// Loads the first `count` bytes at `from`, and reads no others.
[[gnu::target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]] inline __m512i load_first(
    const char* from, std::uint32_t count) {
  return _mm512_maskz_loadu_epi8(first_bits(count), from);
}

/// For 64 pairs (a, b), the bits of the pairs that the table allows. The table is two registers. Seven bits
/// of the pair choose a byte, and three bits of b choose a bit in it.
[[gnu::target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]] inline __mmask64 look_up(__m512i low,
                                                                                           __m512i high,
                                                                                           __m512i a,
                                                                                           __m512i b) {
  const __m512i bit_of = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201u));
  // The index is (a % 32) * 4 + b % 32 / 8. Shifts work on 16-bit words, so the bits that come from the
  // neighbouring byte are masked.
  const __m512i row = _mm512_and_si512(_mm512_slli_epi16(a, 2), _mm512_set1_epi8(0x7C));
  const __m512i column = _mm512_and_si512(_mm512_srli_epi16(b, 3), _mm512_set1_epi8(3));
  const __m512i bytes = _mm512_permutex2var_epi8(low, _mm512_or_si512(row, column), high);
  const __m512i bits = _mm512_shuffle_epi8(bit_of, _mm512_and_si512(b, _mm512_set1_epi8(7)));
  return _mm512_test_epi8_mask(bytes, bits);
}

[[gnu::target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]] candidates find_avx512(
    const char* text, std::uint32_t count, const beginnings& wanted, std::uint16_t* positions) {
  __m512i low[beginnings::places], high[beginnings::places];
  for (unsigned i = 0; i < beginnings::places; ++i) {
    low[i] = _mm512_load_si512(wanted.place(i).data());
    high[i] = _mm512_load_si512(wanted.place(i).data() + 64);
  }
  const __m512i newline = _mm512_set1_epi8('\n');
  candidates found;
  std::uint16_t* next = positions;
  for (std::uint32_t base = 0; base < count; base += 64) {
    const char* const at = text + base;
    const std::uint32_t left = count - base;
    const __mmask64 valid = first_bits(left);
    const __m512i zero = load_first(at, left + 3);
    const __m512i one = load_first(at + 1, left + 2);
    const __m512i two = load_first(at + 2, left + 1);
    const __m512i three = load_first(at + 3, left);
    found.newlines +=
        static_cast<std::uint32_t>(std::popcount(_mm512_mask_cmpeq_epi8_mask(valid, zero, newline)));
    const __mmask64 mask = valid & look_up(low[0], high[0], zero, one) & look_up(low[1], high[1], one, two) &
                           look_up(low[2], high[2], two, three);
    if (mask != 0) next = list_compressed(mask, base, next);
  }
  found.count = static_cast<std::uint32_t>(next - positions);
  return found;
}

#endif

}  // namespace

void beginnings::add(byte_view text) noexcept {
  const auto allow = [&](unsigned place, unsigned a, unsigned b) {
    bits_[place][a * 4 + b / 8] |= static_cast<std::uint8_t>(1u << b % 8);
  };
  const auto low_bits = [&](std::uint64_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(text[i])) % 32;
  };
  for (unsigned i = 0; i < places; ++i) {
    for (unsigned any = 0; any < 32; ++any) {
      if (i + 1 < text.size) {
        allow(i, low_bits(i), low_bits(i + 1));
      } else if (i < text.size) {
        allow(i, low_bits(i), any);
      } else {
        for (unsigned behind = 0; behind < 32; ++behind) allow(i, any, behind);
      }
    }
  }
}

find_beginnings_function find_beginnings_for(vector_path path) noexcept {
#if defined(__x86_64__)
  return way_for(path, find_portable, find_avx2, find_avx512);
#else
  return find_portable;
#endif
}

}  // namespace duomap::cpu
