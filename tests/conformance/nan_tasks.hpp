// Declares tasks with minima and maxima of numbers, some of them NaN.
#pragma once

#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace duomap::test {

struct number_extent {
  float least;
  double most;
};
using extend_numbers =
    reduce_fields<field_by<&number_extent::least, minimum>, field_by<&number_extent::most, maximum>>;

/// Two of three numbers are NaN, so some keys have only NaN, and others begin with NaN.
template <class Key, class Reduce>
struct sparse_extremes {
  using format = rows<std::int64_t>;
  using key = Key;
  using reduce = Reduce;
  using value_type = typename Reduce::value_type;
  static constexpr std::uint64_t max_emits_per_record = 1;

  [[nodiscard]] static constexpr std::uint64_t key_count() { return 50; }

  template <class V>
  [[nodiscard]] DUOMAP_HD static V number(const row<std::int64_t>& r) {
    const auto mixed = static_cast<std::uint64_t>(r[0]) * 0x9E3779B97F4A7C15u >> 40;
    return mixed % 3 != 0 ? std::numeric_limits<V>::quiet_NaN() : static_cast<V>(r[0] % 1000) + V(0.5);
  }
  [[nodiscard]] DUOMAP_HD static value_type value(const row<std::int64_t>& r) {
    if constexpr (std::is_same_v<value_type, number_extent>) {
      return {number<float>(r), number<double>(r)};
    } else if constexpr (std::is_floating_point_v<value_type>) {
      return number<value_type>(r);
    } else {
      return {number<float>(r), r.index % 1000};
    }
  }
  DUOMAP_HD void map(const row<std::int64_t>& r, auto& emit) const {
    if constexpr (std::is_same_v<Key, no_key>) {
      emit(value(r));
    } else {
      emit(static_cast<std::uint32_t>(static_cast<std::uint64_t>(r[0]) % key_count()), value(r));
    }
  }

  /// Turns NaN, which is not equal to itself, into a number that can be compared.
  template <class V>
  [[nodiscard]] static std::int64_t comparable(V one) {
    return one != one ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(one * 2);
  }
  [[nodiscard]] static std::array<std::int64_t, 2> comparable(const value_type& all) requires(
      std::is_class_v<value_type>) {
    if constexpr (std::is_same_v<value_type, number_extent>) {
      return {comparable(all.least), comparable(all.most)};
    } else {
      return {comparable(all.score), static_cast<std::int64_t>(all.index)};
    }
  }
  [[nodiscard]] auto finish(const result_key<Key>& /*key*/, const value_type& all) const {
    return comparable(all);
  }
};

}  // namespace duomap::test

namespace duomap::gpu {

template <class Key, class Reduce>
inline constexpr bool has_code<test::sparse_extremes<Key, Reduce>> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
