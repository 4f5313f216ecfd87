// Lists delimiters and newlines with each vector path.
#include "cpu/scan/field_ends.hpp"

#include "cpu/features.hpp"
#include "cpu/scan/list_positions.hpp"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace duomap::cpu {
namespace {

void find_field_ends_portable(const char* data, std::uint32_t count, char delimiter, field_ends& found) {
  found.count = found.rows = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool ends_row = data[i] == '\n';
    found.at[found.count] = static_cast<std::uint16_t>(i);
    found.row_ends[found.rows] = static_cast<std::uint16_t>(found.count);
    found.count += ends_row || data[i] == delimiter ? 1 : 0;
    found.rows += ends_row ? 1 : 0;
  }
}

#if defined(__x86_64__)

// Both vector paths take 64 bytes at a time, as a mask of newlines and a mask of all ends. Bits behind the
// end of the tile are cleared.

/// Writes the index of each newline among all ends; earlier blocks had `before` ends.
[[gnu::target("bmi,popcnt")]] inline std::uint32_t put_rows(std::uint64_t newlines, std::uint64_t ends,
                                                            std::uint32_t before, std::uint16_t* out) {
  std::uint32_t rows = 0;
  for (; newlines != 0; newlines = _blsr_u64(newlines)) {
    const std::uint64_t below = _blsi_u64(newlines) - 1;
    out[rows++] =
        static_cast<std::uint16_t>(before + static_cast<std::uint32_t>(std::popcount(ends & below)));
  }
  return rows;
}

[[gnu::target("avx2,bmi,popcnt")]] inline std::uint64_t equal_mask(__m256i low, __m256i high,
                                                                   __m256i wanted) {
  const auto first = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)));
  const auto second = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)));
  return first | std::uint64_t{second} << 32;
}

[[gnu::target("avx2,bmi,popcnt")]] void find_field_ends_avx2(const char* data, std::uint32_t count,
                                                             char delimiter, field_ends& found) {
  const __m256i newline = _mm256_set1_epi8('\n');
  const __m256i separator = _mm256_set1_epi8(delimiter);
  std::uint16_t* next = found.at;
  std::uint32_t rows = 0;
  for (std::uint32_t base = 0; base < count; base += 64) {
    const auto* from = reinterpret_cast<const __m256i*>(data + base);
    const __m256i low = _mm256_loadu_si256(from);
    const __m256i high = _mm256_loadu_si256(from + 1);
    std::uint64_t newlines = equal_mask(low, high, newline);
    std::uint64_t ends = newlines | equal_mask(low, high, separator);
    if (count - base < 64) {
      newlines &= first_bits(count - base);
      ends &= first_bits(count - base);
    }
    rows += put_rows(newlines, ends, static_cast<std::uint32_t>(next - found.at), found.row_ends + rows);
    next = list_in_eights(ends, base, next);
  }
  found.count = static_cast<std::uint32_t>(next - found.at);
  found.rows = rows;
}

[[gnu::target("avx512f,avx512bw,avx512vbmi2,bmi,popcnt")]] void find_field_ends_avx512(const char* data,
                                                                                       std::uint32_t count,
                                                                                       char delimiter,
                                                                                       field_ends& found) {
  const __m512i newline = _mm512_set1_epi8('\n');
  const __m512i separator = _mm512_set1_epi8(delimiter);
  std::uint16_t* next = found.at;
  std::uint32_t rows = 0;
  for (std::uint32_t base = 0; base < count; base += 64) {
    const __m512i text = _mm512_loadu_si512(data + base);
    std::uint64_t newlines = _mm512_cmpeq_epi8_mask(text, newline);
    std::uint64_t ends = newlines | _mm512_cmpeq_epi8_mask(text, separator);
    if (count - base < 64) {
      newlines &= first_bits(count - base);
      ends &= first_bits(count - base);
    }
    rows += put_rows(newlines, ends, static_cast<std::uint32_t>(next - found.at), found.row_ends + rows);
    next = list_compressed(ends, base, next);
  }
  found.count = static_cast<std::uint32_t>(next - found.at);
  found.rows = rows;
}

#endif

}  // namespace

find_field_ends_function find_field_ends_for(vector_path path) noexcept {
#if defined(__x86_64__)
  return way_for(path, find_field_ends_portable, find_field_ends_avx2, find_field_ends_avx512);
#else
  static_cast<void>(path);
  return find_field_ends_portable;
#endif
}

find_field_ends_function active_find_field_ends() { return find_field_ends_for(active_vector_path()); }

bool field_ends_by_vectors() { return active_vector_path() != vector_path::portable; }

}  // namespace duomap::cpu
