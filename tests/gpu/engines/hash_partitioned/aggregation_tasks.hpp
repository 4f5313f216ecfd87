// Declares tasks for the hash engine's aggregation; aggregation_tasks.cu and struct_tasks.cu make their GPU
// code.
#pragma once

#include "core/record/index_range.hpp"
#include "core/record/rows.hpp"
#include "core/reduce_fields.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"
#include "tests/conformance/tasks.hpp"

#include <cstdint>

namespace duomap::test {

/// Emits each pair as key and value. A pair's size is a constant, so the engine reads 16 bytes at a time.
template <class Number, class Reduce>
struct pair_reductions {
  using format = rows<Number>;
  using key = Number;
  using reduce = Reduce;
  static constexpr std::uint64_t max_emits_per_record = 1;

  [[nodiscard]] static constexpr format records() { return {.width = 2}; }
  DUOMAP_HD void map(const row<Number>& pair, auto& emit) const {
    emit(pair[0], static_cast<typename Reduce::value_type>(pair[1]));
  }
};

/// Rows behind a header, of a width known only at run time. A row emits twice, once, or not at all.
struct row_flags {
  using format = rows<std::uint32_t>;
  using key = std::uint16_t;
  using reduce = exclusive_or;
  static constexpr std::uint64_t max_emits_per_record = 2;

  std::uint32_t width = 5;

  [[nodiscard]] rows<std::uint32_t> records() const { return {.width = width, .header_bytes = 12}; }
  DUOMAP_HD void map(const row<std::uint32_t>& r, auto& emit) const {
    if (r[0] % 4 != 0) emit(static_cast<std::uint16_t>(r[1]), r[2] + r.index);
    if (r[0] % 2 != 0) emit(static_cast<std::uint16_t>(r[3] % 7), std::uint64_t{r[4]} << 20);
  }
};

/// The sums are whole numbers that a float holds exactly, so their order does not matter.
struct digit_sums {
  using format = index_range;
  using key = std::uint64_t;
  using reduce = sum<float>;
  static constexpr std::uint64_t max_emits_per_record = 3;

  std::uint64_t distinct = 100;

  DUOMAP_HD void map(std::uint64_t i, auto& emit) const {
    const std::uint64_t scrambled = i * 0x9E3779B97F4A7C15u;
    emit(scrambled % distinct << 40, static_cast<float>(i % 10));
    emit(~(scrambled >> 32) % distinct, 1);
    if (i % 3 == 0) emit(~std::uint64_t{0}, 1);
  }
};

/// A value of 32 bytes.
struct extent {
  std::int64_t least;
  std::int64_t most;
  std::uint64_t total;
  std::int32_t few_bits[2];

  DUOMAP_HD static extent of(std::uint64_t value) {
    const auto number = static_cast<std::int64_t>(value);
    return {number, number, value, {1, static_cast<std::int32_t>(value % 100)}};
  }
  friend bool operator==(const extent&, const extent&) = default;
};
using fold_extents = reduce_fields<field_by<&extent::least, minimum>, field_by<&extent::most, maximum>,
                                   field_by<&extent::total, sum>, field_by<&extent::few_bits, sum>>;

/// Folds extents by an operation whose fields the engine does not know, so it needs a lock.
struct lock_extents {
  using value_type = extent;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  DUOMAP_HD extent operator()(const extent& a, const extent& b) const { return fold_extents{}(a, b); }
};

/// A value of 16 bytes of floating point: small whole numbers, whose sums are exact in any order.
struct float_extent {
  float least;
  float most;
  double total;

  DUOMAP_HD static float_extent of(std::uint64_t value) {
    const auto number = static_cast<float>(value % 1000) - 500;
    return {number, number, number};
  }
  friend bool operator==(const float_extent&, const float_extent&) = default;
};
using fold_float_extents =
    reduce_fields<field_by<&float_extent::least, minimum>, field_by<&float_extent::most, maximum>,
                  field_by<&float_extent::total, sum>>;

/// Like pair_reductions, but turns each value into a struct.
template <class Number, class Reduce>
struct struct_reductions : pair_reductions<Number, Reduce> {
  DUOMAP_HD void map(const row<Number>& pair, auto& emit) const {
    emit(pair[0], Reduce::value_type::of(pair[1]));
  }
};

/// Emits twice for one index, although it promises one emit.
struct talkative_indices {
  using format = index_range;
  using key = std::uint32_t;
  using reduce = sum<std::uint32_t>;
  static constexpr std::uint64_t max_emits_per_record = 1;

  std::uint64_t breaks_at = 0;

  DUOMAP_HD void map(std::uint64_t i, auto& emit) const {
    emit(static_cast<std::uint32_t>(i), 1);
    if (i == breaks_at) emit(0, 1);
  }
};

template <class V>
using pair_sums = pair_reductions<std::uint32_t, sum<V>>;
using wide_sums = pair_reductions<std::uint64_t, sum<std::int64_t>>;
using pair_minima = pair_reductions<std::uint32_t, minimum<std::int32_t>>;
using wide_maxima = pair_reductions<std::uint64_t, maximum<std::uint64_t>>;
using extents = struct_reductions<std::uint64_t, fold_extents>;
using narrow_extents = struct_reductions<std::uint32_t, fold_extents>;
using locked_extents = struct_reductions<std::uint64_t, lock_extents>;
using float_extents = struct_reductions<std::uint64_t, fold_float_extents>;
using pair_parity = pair_reductions<std::uint32_t, exclusive_or>;

}  // namespace duomap::test

namespace duomap::gpu {

template <class Number, class Reduce>
inline constexpr bool has_code<test::pair_reductions<Number, Reduce>> = DUOMAP_HAS_CUDA;
template <class Number, class Reduce>
inline constexpr bool has_code<test::struct_reductions<Number, Reduce>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::row_flags> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::digit_sums> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::talkative_indices> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
