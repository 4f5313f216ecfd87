// Declares top-k tasks with GPU code (tests/gpu/engines/top_k/top_tasks.cu).
#pragma once

#include "core/task.hpp"
#include "gpu/make_backend.hpp"
#include "tests/conformance/tasks.hpp"

#include <cstdint>

namespace duomap::test {

/// Orders words by size, longest first, then by the smallest mix of their bytes.
struct long_word {
  std::uint32_t size;
  std::uint64_t mixed;
  char filler[20];  // gives the value an unusual size
  friend bool operator==(const long_word&, const long_word&) = default;
};

struct longer_word {
  [[nodiscard]] DUOMAP_HD bool operator()(const long_word& a, const long_word& b) const {
    return a.size != b.size ? a.size > b.size : a.mixed < b.mixed;
  }
};

struct longest_words {
  using format = words;
  using key = dense;
  using reduce = top_k<long_word, longer_word>;

  std::uint64_t k = 7;
  std::uint64_t keys = 50;

  [[nodiscard]] reduce reduction() const { return {.k = k}; }
  [[nodiscard]] std::uint64_t key_count() const { return keys; }
  DUOMAP_HD void map(byte_view word, auto& emit) const {
    const std::uint64_t m = mix(word);
    for (std::uint64_t i = 0; i < m % 4; ++i) {
      long_word one{static_cast<std::uint32_t>(word.size), m + i, {}};
      one.filler[0] = word[0];
      emit((m >> 20) % keys, one);
    }
  }
};

/// Emits keys from 0 up; large indices give keys out of range.
struct top_keys_out_of_range {
  using format = index_range;
  using key = dense;
  using reduce = top_k<scored<std::int64_t>, higher>;

  [[nodiscard]] static reduce reduction() { return {.k = 2}; }
  [[nodiscard]] static std::uint64_t key_count() { return 10; }
  DUOMAP_HD void map(std::uint64_t index, auto& emit) const {
    emit(index / 1000, scored<std::int64_t>{static_cast<std::int64_t>(index), index});
  }
};

}  // namespace duomap::test

namespace duomap::gpu {

template <>
inline constexpr bool has_code<test::largest_rows> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::largest_rows_by_class> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::longest_words> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::top_keys_out_of_range> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
