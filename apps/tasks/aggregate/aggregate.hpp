// Adds up values by key: SELECT key, sum(value) GROUP BY key over pairs of numbers.
#pragma once

#include "core/config.hpp"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <bit>
#include <cstdint>

namespace duomap {

template <map_reduce_task Task>
struct deterministic;

}  // namespace duomap

namespace duomap::apps {

/// Rows of a 32-bit key and a value of 32 bits, of type Stored: key -> sum of the values as V, which wraps
/// around when it is an integer of 32 bits.
template <class V, class Stored = std::int32_t>
struct sum_by_key {
  using format = rows<std::uint32_t>;
  using key = std::uint32_t;
  using reduce = sum<V>;
  static constexpr std::uint64_t max_emits_per_record = 1;

  [[nodiscard]] static constexpr format records() { return {.width = 2}; }
  DUOMAP_HD void map(const row<std::uint32_t>& pair, auto& emit) const {
    emit(pair[0], static_cast<V>(std::bit_cast<Stored>(pair[1])));
  }
};

using float_sum_by_key = sum_by_key<double, float>;

}  // namespace duomap::apps

template <class V, class Stored>
inline constexpr bool duomap::gpu::has_code<duomap::apps::sum_by_key<V, Stored>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool duomap::gpu::has_code<duomap::deterministic<duomap::apps::float_sum_by_key>> =
    DUOMAP_HAS_CUDA;
