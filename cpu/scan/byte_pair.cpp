// Compares both bytes of the pair at many positions at once, for each vector path.
#include "cpu/scan/byte_pair.hpp"

#include "core/text/letter_case.hpp"
#include "cpu/scan/list_positions.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace duomap::cpu {
namespace {

// The most frequent bytes in 20 MB of English novels, the most frequent byte first. All other bytes are
// rarer. A wrong guess costs only time.
constexpr std::string_view frequent = " etaonhisrdlumwcyfg,pb\n\r.vk\"I'-T;HAMSxB?!WCqLENPjYDGROF:";

std::size_t rarity(char byte) noexcept { return std::min(frequent.find(byte), frequent.size()); }

candidates find_portable(const char* text, std::uint32_t count, const byte_pair& pair,
                         std::uint16_t* positions) {
  candidates found;
  for (std::uint32_t i = 0; i < count; ++i) {
    positions[found.count] = static_cast<std::uint16_t>(i);
    const bool first = (text[i + pair.first.at] | pair.first.fold) == pair.first.byte;
    const bool second = (text[i + pair.second.at] | pair.second.fold) == pair.second.byte;
    found.count += first && second ? 1u : 0u;
    found.newlines += text[i] == '\n' ? 1u : 0u;
  }
  return found;
}

#if defined(__x86_64__)

[[gnu::target("avx2,bmi,popcnt")]] inline std::uint32_t equal_mask32(const char* text, char byte, char fold) {
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
  const __m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8(fold));
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(folded, _mm256_set1_epi8(byte))));
}

[[gnu::target("avx2,bmi,popcnt")]] inline std::uint64_t equal_mask64(const char* text, char byte, char fold) {
  return equal_mask32(text, byte, fold) | static_cast<std::uint64_t>(equal_mask32(text + 32, byte, fold))
                                              << 32;
}

[[gnu::target("avx2,bmi,popcnt")]] candidates find_avx2(const char* text, std::uint32_t count,
                                                        const byte_pair& pair, std::uint16_t* positions) {
  candidates found;
  std::uint16_t* next = positions;
  for (std::uint32_t base = 0; base < count; base += 64) {
    const std::uint64_t valid = first_bits(count - base);
    const char* const at = text + base;
    found.newlines += static_cast<std::uint32_t>(std::popcount(equal_mask64(at, '\n', 0) & valid));
    const std::uint64_t both = equal_mask64(at + pair.first.at, pair.first.byte, pair.first.fold) &
                               equal_mask64(at + pair.second.at, pair.second.byte, pair.second.fold);
    next = list_few(both & valid, base, next);
  }
  found.count = static_cast<std::uint32_t>(next - positions);
  return found;
}

[[gnu::target("avx512f,avx512bw,bmi,popcnt")]] candidates find_avx512(const char* text, std::uint32_t count,
                                                                      const byte_pair& pair,
                                                                      std::uint16_t* positions) {
  const __m512i newline = _mm512_set1_epi8('\n');
  const __m512i first = _mm512_set1_epi8(pair.first.byte), second = _mm512_set1_epi8(pair.second.byte);
  const __m512i first_fold = _mm512_set1_epi8(pair.first.fold);
  const __m512i second_fold = _mm512_set1_epi8(pair.second.fold);
  candidates found;
  std::uint16_t* next = positions;
  for (std::uint32_t base = 0; base < count; base += 64) {
    const std::uint64_t valid = first_bits(count - base);
    const char* const at = text + base;
    found.newlines += static_cast<std::uint32_t>(
        std::popcount(_mm512_mask_cmpeq_epi8_mask(valid, _mm512_loadu_si512(at), newline)));
    const __m512i a = _mm512_or_si512(_mm512_loadu_si512(at + pair.first.at), first_fold);
    const __m512i b = _mm512_or_si512(_mm512_loadu_si512(at + pair.second.at), second_fold);
    next = list_few(_mm512_mask_cmpeq_epi8_mask(_mm512_mask_cmpeq_epi8_mask(valid, a, first), b, second),
                    base, next);
  }
  found.count = static_cast<std::uint32_t>(next - positions);
  return found;
}

#endif

}  // namespace

byte_pair rarest_pair(byte_view wanted, bool ignore_case) noexcept {
  const auto member_at = [&](std::uint64_t at) {
    const char byte = wanted[at];
    const bool letter = byte >= 'a' && byte <= 'z';
    return byte_pair::member{static_cast<std::uint32_t>(at), byte,
                             ignore_case && letter ? char{0x20} : char{0}};
  };
  std::uint64_t first = 0, second = wanted.size - 1;
  if (rarity(wanted[second]) > rarity(wanted[first])) std::swap(first, second);
  for (std::uint64_t i = 1; i + 1 < wanted.size; ++i) {
    if (rarity(wanted[i]) > rarity(wanted[first])) {
      second = first;
      first = i;
    } else if (rarity(wanted[i]) > rarity(wanted[second])) {
      second = i;
    }
  }
  return {member_at(first), member_at(second)};
}

find_byte_pair_function find_byte_pair_for(vector_path path) noexcept {
#if defined(__x86_64__)
  return way_for(path, find_portable, find_avx2, find_avx512);
#else
  return find_portable;
#endif
}

}  // namespace duomap::cpu
