// Declares tasks with hashed keys, and the contract's, whose GPU code is in keyed_tasks.cu.
#pragma once

#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"
#include "tests/conformance/tasks.hpp"

#include <cstdint>

namespace duomap::test {

/// A value of 12 bytes without an identity. Order: largest size, then smallest count, then smallest tag.
struct ranked {
  std::uint32_t size;
  std::uint32_t count;
  std::uint32_t tag;
  friend bool operator==(const ranked&, const ranked&) = default;
};

struct best_ranked {
  using value_type = ranked;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD static bool before(const ranked& a, const ranked& b) {
    if (a.size != b.size) return a.size > b.size;
    if (a.count != b.count) return a.count < b.count;
    return a.tag < b.tag;
  }
  [[nodiscard]] DUOMAP_HD ranked operator()(const ranked& a, const ranked& b) const {
    return before(b, a) ? b : a;
  }
};

/// Many words share a first byte, which is the key. The values are too large for an atomic operation.
struct best_words {
  using format = words;
  using key = byte_view;
  using reduce = best_ranked;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    const std::uint64_t m = mix(word);
    emit(word.sub(0, 1), ranked{static_cast<std::uint32_t>(word.size), static_cast<std::uint32_t>(m % 5),
                                static_cast<std::uint32_t>(m >> 40)});
  }
};

/// With 32-bit sums that wrap around, 64-bit sums that carry into the upper half, or minima.
template <class Reduce>
struct mixed_words {
  using format = words;
  using key = byte_view;
  using reduce = Reduce;
  static constexpr std::uint64_t max_emits_per_record = 2;
  static constexpr bool keys_within_record = true;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    using value = typename Reduce::value_type;
    emit(word, static_cast<value>(mix(word)));
    emit(word.sub(word.size / 2, word.size - word.size / 2), static_cast<value>(word.size));
  }
};

/// Breaks its promises: a word with 'x' emits twice, and a word with 'y' emits a key from outside its record.
struct promise_breakers {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    const char other[4] = {'s', 'e', 'l', 'f'};
    emit(word[0] == 'y' ? byte_view{other, 4} : word, 1);
    if (word[0] == 'x') emit(word, 1);
  }
};

/// Emits every field of a line. Map emits several times, so the engine runs it first to count.
struct cells_and_lines {
  using format = fields;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static fields records() { return {.delimiter = ','}; }
  DUOMAP_HD void map(const field_list& record, auto& emit) const {
    record.for_each([&](std::uint64_t, byte_view field) { emit(field, 1); });
  }
};

}  // namespace duomap::test

namespace duomap::gpu {

template <>
inline constexpr bool has_code<test::word_counts> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::finished_word_counts> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::reversed_endings> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::line_heads> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::nul_keys> = DUOMAP_HAS_CUDA;
template <std::size_t N>
inline constexpr bool has_code<test::word_heads<N>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::field_sums> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::number_parity> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::best_words> = DUOMAP_HAS_CUDA;
template <class R>
inline constexpr bool has_code<test::mixed_words<R>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::promise_breakers> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::cells_and_lines> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
