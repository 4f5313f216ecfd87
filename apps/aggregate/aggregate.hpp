// Sums by key: SELECT key, sum(value) GROUP BY key over pairs of numbers.
#pragma once

#include "core/config.hpp"
#include "core/deterministic.hpp"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <bit>
#include <cstdint>

namespace duomap::apps {

/// Rows of a 32-bit key and a 32-bit signed value: key -> sum of the values as V, which wraps around when V
/// has 32 bits.
template <class V>
struct sum_by_key {
  using format = rows<std::uint32_t>;
  using key = std::uint32_t;
  using reduce = sum<V>;
  static constexpr std::uint64_t emits_within_record = 1;

  [[nodiscard]] static constexpr format records() { return {.width = 2}; }
  DUOMAP_HD void map(const row<std::uint32_t>& pair, auto& emit) const {
    emit(pair[0], static_cast<V>(static_cast<std::int32_t>(pair[1])));
  }
};

/// Rows of a 32-bit key and a float: key -> sum of the values as doubles.
struct float_sum_by_key {
  using format = rows<std::uint32_t>;
  using key = std::uint32_t;
  using reduce = sum<double>;
  static constexpr std::uint64_t emits_within_record = 1;

  [[nodiscard]] static constexpr format records() { return {.width = 2}; }
  DUOMAP_HD void map(const row<std::uint32_t>& pair, auto& emit) const {
    emit(pair[0], static_cast<double>(std::bit_cast<float>(pair[1])));
  }
};

}  // namespace duomap::apps

template <class V>
inline constexpr bool duomap::gpu::has_code<duomap::apps::sum_by_key<V>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::float_sum_by_key> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool duomap::gpu::has_code<duomap::deterministic<duomap::apps::float_sum_by_key>> =
    DUOMAP_HAS_CUDA;
