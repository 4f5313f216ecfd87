// Declares tasks over words that emit at most once for each record, the best case for the hash engine.
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

/// Values near the limits of 32 bits, negative ones too if the sums are signed.
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

/// Emits a key of N bytes for some words only. Keys of up to seven bytes take another path than longer keys.
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

/// Emits the inside of a word, so that a key does not start where its record starts.
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

/// Emits keys that map makes: a word and, for some words, up to nine bytes more. Other words are emitted as
/// they stand.
struct made_words {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr std::uint64_t max_extra_key_bytes = 9;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    constexpr std::uint64_t room = 64;
    if (mix(word) % 4 == 0 || word.size + max_extra_key_bytes > room) {
      emit(word, 1);
      return;
    }
    char made[room];
    const std::uint64_t extra = mix(word) % (max_extra_key_bytes + 1);
    for (std::uint64_t i = 0; i < word.size; ++i) made[i] = word[i];
    for (std::uint64_t i = 0; i < extra; ++i) made[word.size + i] = '-';
    emit(byte_view(made, word.size + extra), 1);
  }
};

using counted_words = std::vector<std::pair<std::string, std::uint64_t>>;

/// Counts the words of one large chunk in device memory: `pattern` `times` times, then `tail`. The counts are
/// sorted by word.
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
template <>
inline constexpr bool has_code<test::made_words> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
