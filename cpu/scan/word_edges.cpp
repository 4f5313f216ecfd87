// Makes masks of word bytes and lists where the masks change, for each vector path.
#include "cpu/scan/word_edges.hpp"

#include "core/record/words.hpp"
#include "cpu/features.hpp"
#include "cpu/scan/list_positions.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace duomap::cpu {
namespace {

// Every path works on 64 bytes at a time. It makes a mask of the word bytes, then a mask of its changes, then
// a list of positions.

/// A mask of the positions at which `mask` changes from one byte to the next. `before` is the last bit of the
/// previous block, and is set to that of this block. Positions from `valid` on do not count.
inline std::uint64_t changes_of(std::uint64_t mask, std::uint64_t& before, std::uint32_t valid) {
  std::uint64_t changes = mask ^ (mask << 1 | before);
  before = mask >> 63;
  if (valid < 64) changes &= (std::uint64_t{1} << valid) - 1;
  return changes;
}

std::uint32_t find_word_edges_portable(const char* data, std::uint32_t count, bool inside,
                                       std::uint16_t* edges) {
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool word = words::is_word_byte(data[i]);
    edges[found] = static_cast<std::uint16_t>(i);
    found += word != inside ? 1 : 0;
    inside = word;
  }
  return found;
}

#if defined(__x86_64__)

[[gnu::target("avx2,bmi,popcnt")]] inline std::uint32_t word_mask32(__m256i text) {
  // The comparison is signed. So bytes >= 0x80 are below every bound, and only their top bit marks them as
  // word bytes.
  const __m256i folded = _mm256_or_si256(text, _mm256_set1_epi8(0x20));
  const __m256i letter = _mm256_and_si256(_mm256_cmpgt_epi8(folded, _mm256_set1_epi8('a' - 1)),
                                          _mm256_cmpgt_epi8(_mm256_set1_epi8('z' + 1), folded));
  const __m256i digit = _mm256_and_si256(_mm256_cmpgt_epi8(text, _mm256_set1_epi8('0' - 1)),
                                         _mm256_cmpgt_epi8(_mm256_set1_epi8('9' + 1), text));
  const __m256i apostrophe = _mm256_cmpeq_epi8(text, _mm256_set1_epi8('\''));
  const __m256i word = _mm256_or_si256(_mm256_or_si256(letter, digit), _mm256_or_si256(apostrophe, text));
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(word));
}

[[gnu::target("avx2,bmi,popcnt")]] std::uint32_t find_word_edges_avx2(const char* data, std::uint32_t count,
                                                                      bool inside, std::uint16_t* edges) {
  std::uint64_t before = inside ? 1 : 0;
  std::uint16_t* out = edges;
  for (std::uint32_t base = 0; base < count; base += 64) {
    const auto* at = reinterpret_cast<const __m256i*>(data + base);
    const std::uint64_t mask = word_mask32(_mm256_loadu_si256(at)) |
                               static_cast<std::uint64_t>(word_mask32(_mm256_loadu_si256(at + 1))) << 32;
    out = list_in_eights(changes_of(mask, before, count - base), base, out);
  }
  return static_cast<std::uint32_t>(out - edges);
}

[[gnu::target("avx512f,avx512bw,avx512vbmi2,popcnt")]] std::uint32_t find_word_edges_avx512(
    const char* data, std::uint32_t count, bool inside, std::uint16_t* edges) {
  std::uint64_t before = inside ? 1 : 0;
  std::uint16_t* out = edges;
  for (std::uint32_t base = 0; base < count; base += 64) {
    const __m512i text = _mm512_loadu_si512(data + base);
    const __m512i folded = _mm512_or_si512(text, _mm512_set1_epi8(0x20));
    const __mmask64 letter =
        _mm512_cmple_epu8_mask(_mm512_sub_epi8(folded, _mm512_set1_epi8('a')), _mm512_set1_epi8(25));
    const __mmask64 digit =
        _mm512_cmple_epu8_mask(_mm512_sub_epi8(text, _mm512_set1_epi8('0')), _mm512_set1_epi8(9));
    const __mmask64 apostrophe = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('\''));
    const std::uint64_t changes =
        changes_of(letter | digit | apostrophe | _mm512_movepi8_mask(text), before, count - base);
    out = list_compressed(changes, base, out);
  }
  return static_cast<std::uint32_t>(out - edges);
}

#endif

}  // namespace

find_word_edges_function find_word_edges_for(vector_path path) noexcept {
#if defined(__x86_64__)
  return way_for(path, find_word_edges_portable, find_word_edges_avx2, find_word_edges_avx512);
#else
  return find_word_edges_portable;
#endif
}

find_word_edges_function active_find_word_edges() { return find_word_edges_for(active_vector_path()); }

}  // namespace duomap::cpu
