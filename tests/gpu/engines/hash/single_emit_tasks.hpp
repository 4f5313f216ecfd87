// Declares tasks over words that emit at most once a record, the best case of the hash engine.
#pragma once

#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"
#include "tests/conformance/tasks.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test {

struct promised_word_counts : word_counts {
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;
};

/// Values around the limits of 32 bits, of both signs when the sums are signed.
template <class Reduce>
struct heavy_words {
  using format = words;
  using key = byte_view;
  using reduce = Reduce;
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    constexpr std::int64_t values[] = {
        1, 1 << 30, 0x7FFFFFFF, -1, std::int64_t{1} << 31, -(std::int64_t{1} << 31), std::int64_t{1} << 40};
    emit(word, static_cast<typename Reduce::value_type>(values[mix(word) % 7]));
  }
};

/// One key of fixed size for some words, nothing for the others: of up to seven bytes, and of more.
template <std::size_t N>
struct chosen_heads {
  using format = words;
  using key = std::array<char, N>;
  using reduce = sum<std::uint64_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    if (mix(word) % 3 != 0) emit(head<N>(word), word.size);
  }
};

/// The inner part of a word: keys that do not start where the record starts.
struct word_hearts {
  using format = words;
  using key = byte_view;
  using reduce = maximum<std::uint64_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    if (word.size > 2) emit(word.sub(1, word.size - 2), mix(word));
  }
};

using counted_words = std::vector<std::pair<std::string, std::uint64_t>>;

/// Counts the words of one chunk that is in device memory as a whole: `pattern` several times, then `tail`.
/// Sorted by word.
[[nodiscard]] counted_words count_in_one_chunk(const std::string& pattern, std::uint64_t times,
                                               const std::string& tail, int device);

}  // namespace duomap::test

namespace duomap::gpu {

template <>
inline constexpr bool has_code<test::promised_word_counts> = DUOMAP_HAS_CUDA;
template <class R>
inline constexpr bool has_code<test::heavy_words<R>> = DUOMAP_HAS_CUDA;
template <std::size_t N>
inline constexpr bool has_code<test::chosen_heads<N>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::word_hearts> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
