// Tasks written from the README alone: plain maps of one record, no estimates, no promises, library defaults.
#pragma once

#include "bench/unseen/dense_tasks.hpp"
#include "bench/unseen/scrambled.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/index_range.hpp"
#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <array>
#include <cstdint>

namespace duomap::apps::unseen {

/// Counts how often one word follows another in a line. map makes each key from two words.
struct bigrams {
  using format = lines;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  DUOMAP_HD void map(const line& record, auto& emit) const {
    char pair[64];
    std::uint64_t before = 0;
    bool first = true;
    for (std::uint64_t i = 0; i < record.text.size;) {
      std::uint64_t end = i;
      while (end < record.text.size && record.text[end] != ' ') ++end;
      const std::uint64_t size = end - i < 31 ? end - i : 31;
      if (!first) {
        pair[before] = ' ';
        for (std::uint64_t j = 0; j < size; ++j) pair[before + 1 + j] = record.text[i + j];
        emit(byte_view{pair, before + 1 + size}, 1);
      }
      for (std::uint64_t j = 0; j < size; ++j) pair[j] = record.text[i + j];
      before = size;
      first = false;
      i = end + 1;
    }
  }
};

/// A sketch of 256 bytes: counts numbers by their leading zeros, with two cells for each number of zeros.
struct sketch {
  std::array<std::uint32_t, 64> counts;
};

struct add_sketches {
  using value_type = sketch;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  DUOMAP_HD sketch operator()(sketch a, const sketch& b) const {
    for (std::uint32_t i = 0; i < 64; ++i) a.counts[i] += b.counts[i];
    return a;
  }
};

struct quantiles {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = add_sketches;

  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const {
    sketch one{};
    std::uint32_t level = 0;
    while (level < 31 && number[0] >> (31 - level) == 0) ++level;
    one.counts[2 * level + (number[0] >> (level < 30 ? 30 - level : 0) & 1)] = 1;
    emit(one);
  }
};

/// The function x -> factor * x + offset.
struct affine {
  std::uint64_t factor;
  std::uint64_t offset;
};

struct then_affine {
  using value_type = affine;
  static constexpr bool associative = true;
  static constexpr bool commutative = false;
  [[nodiscard]] DUOMAP_HD affine identity() const { return {1, 0}; }
  DUOMAP_HD affine operator()(const affine& a, const affine& b) const {
    return {a.factor * b.factor, b.factor * a.offset + b.offset};
  }
};

/// Makes a function of each line and composes all functions. The result depends on the order of the lines.
struct in_order {
  using format = lines;
  using key = no_key;
  using reduce = then_affine;

  DUOMAP_HD void map(const line& record, auto& emit) const {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < record.text.size; ++i) sum += static_cast<unsigned char>(record.text[i]);
    emit(affine{2 * sum + 1, record.text.size});
  }
};

struct ranked {
  std::uint32_t score;
  std::uint32_t index;
};

struct better_score {
  DUOMAP_HD bool operator()(const ranked& a, const ranked& b) const {
    return a.score != b.score ? a.score > b.score : a.index < b.index;
  }
};

/// Keeps the ten highest scores of each of 100 groups.
struct best_of_groups {
  using format = rows<std::uint32_t>;
  using key = dense;
  using reduce = top_k<ranked, better_score>;

  [[nodiscard]] static std::uint64_t key_count() { return 100; }
  [[nodiscard]] static reduce reduction() { return {.k = 10}; }
  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const {
    emit(number[0] % 100, ranked{scrambled(number[0]), static_cast<std::uint32_t>(number.index)});
  }
};

/// Counts the occurrences of each number; a second task reads the result.
struct occurrences {
  using format = rows<std::uint32_t>;
  using key = std::uint32_t;
  using reduce = sum<std::uint64_t>;

  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const { emit(number[0] % 100'000, 1); }
};

/// Counts random points that fall into a circle: a quarter of pi of all points.
struct monte_carlo {
  using format = index_range;
  using key = no_key;
  using reduce = sum<std::uint64_t>;

  DUOMAP_HD void map(std::uint64_t index, auto& emit) const {
    auto state = scrambled(static_cast<std::uint32_t>(index) + 1);
    std::uint64_t inside = 0;
    for (int i = 0; i < 100; ++i) {
      state = scrambled(state + 1);
      const std::uint64_t x = state & 0xFFFF;
      const std::uint64_t y = state >> 16;
      inside += x * x + y * y < std::uint64_t{1} << 32 ? 1 : 0;
    }
    emit(inside);
  }
};

/// Counts every five consecutive bytes within a word, which makes many keys.
struct five_grams {
  using format = words;
  using key = std::array<char, 5>;
  using reduce = sum<std::uint32_t>;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    for (std::uint64_t i = 0; i + 5 <= word.size; ++i)
      emit(key{word[i], word[i + 1], word[i + 2], word[i + 3], word[i + 4]}, 1);
  }
};

/// Counts every beginning of a word, so that the task emits more than it reads.
struct beginnings {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  DUOMAP_HD void map(byte_view word, auto& emit) const {
    for (std::uint64_t size = 1; size <= word.size; ++size) emit(word.sub(0, size), 1);
  }
};

}  // namespace duomap::apps::unseen

namespace duomap::gpu {
template <>
inline constexpr bool has_code<apps::unseen::bigrams> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<apps::unseen::quantiles> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<apps::unseen::in_order> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<apps::unseen::best_of_groups> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<apps::unseen::occurrences> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<apps::unseen::monte_carlo> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<apps::unseen::five_grams> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<apps::unseen::beginnings> = DUOMAP_HAS_CUDA;
}  // namespace duomap::gpu
