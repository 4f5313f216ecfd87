// Declares tasks with dense keys, no key or slots, for the dense engine, resident loops and iterative jobs.
// dense_tasks.cu, dense_contract.cu and resident_tasks.cu make their GPU code.
#pragma once

#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/make_resident.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/gpu/support/keyed_tasks.hpp"

#include <cstdint>

namespace duomap::test {

/// Fields of every size that hardware adds. They hold whole numbers, so floating-point sums are exact.
struct tally {
  float small;
  std::int32_t numbers[2];
  std::uint32_t count;
  std::int64_t total;
  friend bool operator==(const tally&, const tally&) = default;
};
using add_tallies = sum_fields<&tally::small, &tally::numbers, &tally::count, &tally::total>;

struct weighted {
  std::uint32_t count;
  float weight;
  double total;
  friend bool operator==(const weighted&, const weighted&) = default;
};
using add_weighted = sum_fields<&weighted::count, &weighted::weight, &weighted::total>;

/// Turns a 32-bit number into a value of type V.
template <class V>
[[nodiscard]] DUOMAP_HD V value_from(std::uint32_t number) {
  // 40 bits, so that no sum overflows.
  const auto mixed = static_cast<std::int64_t>(number * 0x9E3779B97F4A7C15u) >> 24;
  if constexpr (std::is_same_v<V, bool>) {
    return number % 7 == 0;
  } else if constexpr (std::is_same_v<V, tally>) {
    return {static_cast<float>(number % 3),
            {static_cast<std::int32_t>(number), -static_cast<std::int32_t>(number / 2)},
            1,
            mixed};
  } else if constexpr (std::is_same_v<V, weighted>) {
    return {1, static_cast<float>(number % 2), static_cast<double>(number % 1000) - 500};
  } else if constexpr (std::is_same_v<V, scored<std::int32_t>>) {
    return {static_cast<std::int32_t>(number % 1000), number / 1000};
  } else if constexpr (std::is_same_v<V, ranked>) {
    return {number % 50, number % 1000, number};
  } else if constexpr (std::is_floating_point_v<V>) {
    return static_cast<V>(number % 5);
  } else {
    return static_cast<V>(mixed);
  }
}

/// Each pair gives a key and a value. The engine loads such rows in units of several rows.
template <class Reduce>
struct pairs_by_key {
  using format = rows<std::uint32_t>;
  using key = dense;
  using reduce = Reduce;

  std::uint64_t keys = 1;

  [[nodiscard]] static constexpr rows<std::uint32_t> records() { return {.width = 2}; }
  [[nodiscard]] std::uint64_t key_count() const { return keys; }
  DUOMAP_HD void map(const row<std::uint32_t>& pair, auto& emit) const {
    if (keys == 0) {
      emit(0, value_from<typename Reduce::value_type>(pair[1]));
      return;
    }
    // Most emits use the lower half of the keys, so that some other keys get no emit.
    if (pair[1] % 16 != 3) emit(pair[0] % ((keys + 1) / 2), value_from<typename Reduce::value_type>(pair[1]));
    if (pair[0] == 77) emit(keys - 1, value_from<typename Reduce::value_type>(pair[1] + 1));
  }
};

/// Values like those of pairs_by_key, without a key. Rows of three numbers.
template <class Reduce>
struct triples_together {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = Reduce;

  [[nodiscard]] static constexpr rows<std::uint32_t> records() { return {.width = 3}; }
  DUOMAP_HD void map(const row<std::uint32_t>& triple, auto& emit) const {
    emit(value_from<typename Reduce::value_type>(triple[0] ^ triple[1] ^ triple[2]));
  }
};

/// Sums of floating-point numbers, in which -0.0 must stay -0.0.
struct float_sums {
  using format = rows<float>;
  using key = dense;
  using reduce = sum<float>;

  [[nodiscard]] static rows<float> records() { return {.width = 1}; }
  [[nodiscard]] static std::uint64_t key_count() { return 3; }
  DUOMAP_HD void map(const row<float>& r, auto& emit) const { emit(r.index % 2, r[0]); }
};

/// A text with dense keys.
struct word_sizes {
  using format = words;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static std::uint64_t key_count() { return 64; }
  DUOMAP_HD void map(byte_view word, auto& emit) const { emit(word.size % 64, mix(word)); }
};

/// A text whose order matters, with few keys, or with more than shared memory holds.
struct ordered_words {
  using format = words;
  using key = dense;
  using reduce = compose;

  std::uint64_t keys = 5;

  [[nodiscard]] std::uint64_t key_count() const { return keys; }
  DUOMAP_HD void map(byte_view word, auto& emit) const {
    emit(mix(word) % keys, {mix(word) | 1, mix(word)});
    if (word.size % 2 == 0) emit(0, {3, word.size});
  }
};

/// The places of the first and the last line: no key, a text, and the order matters.
struct line_span {
  using format = lines;
  using key = no_key;
  using reduce = join_spans;

  DUOMAP_HD void map(const line& l, auto& emit) const { emit({place_of(l), place_of(l)}); }
};

/// Two slots: the number of centres above each number, and the largest distance to a centre.
struct far_centres {
  using format = rows<std::int32_t>;
  using key = no_key;
  using reduce = slots<sum<std::uint64_t>, maximum<std::int64_t>>;

  broadcast<std::int64_t> centres;

  [[nodiscard]] static constexpr rows<std::int32_t> records() { return {.width = 1}; }
  DUOMAP_HD void visit_broadcast(auto&& visit) { visit(centres); }
  DUOMAP_HD void map(const row<std::int32_t>& r, auto& emit) const {
    for (std::uint64_t i = 0; i < centres.size; ++i) {
      if (centres[i] > r[0]) emit(slot<0>, 1);
      emit(slot<1>, centres[i] - r[0]);
    }
  }
};

}  // namespace duomap::test

namespace duomap::gpu {

template <class R>
inline constexpr bool has_code<test::pairs_by_key<R>> = DUOMAP_HAS_CUDA;
template <class R>
inline constexpr bool has_code<test::triples_together<R>> = DUOMAP_HAS_CUDA;
template <class R>
inline constexpr bool has_code<test::overall<R>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::float_sums> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::word_sizes> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::ordered_words> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::line_span> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::byte_histogram> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::cell_moments> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::seen_values> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::pair_distances> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::nearest_centre> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::extremes> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::matrix_products> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::matrix_product> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::overflowing_keys> = DUOMAP_HAS_CUDA;

template <>
inline constexpr bool has_resident_code<test::pairs_by_key<sum<std::int64_t>>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_resident_code<test::nearest_centre> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_resident_code<test::far_centres> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_resident_code<test::pair_distances> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
