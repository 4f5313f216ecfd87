// Declares tasks of floating-point values for deterministic mode, with every kind of key and every reduction
// that rounds.
#pragma once

#include "core/deterministic.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace duomap::test {

/// The value of a row: the bits of its second number as a float, or of both numbers as a double. Random rows
/// give numbers of any size, also subnormal ones, infinities and NaN.
template <class Float>
[[nodiscard]] DUOMAP_HD Float any_number(const row<std::uint32_t>& pair) {
  if constexpr (sizeof(Float) == 4) {
    return std::bit_cast<float>(pair[1]);
  } else {
    return std::bit_cast<double>(std::uint64_t{pair[1]} << 32 | pair[0]);
  }
}

/// Sums of numbers of any size, with hashed or dense keys.
template <class Float, class Key>
struct number_sums {
  using format = rows<std::uint32_t>;
  using key = Key;
  using reduce = sum<Float>;
  static constexpr std::uint64_t max_emits_per_record = 1;

  std::uint32_t keys = 10;

  [[nodiscard]] static constexpr format records() { return {.width = 2}; }
  [[nodiscard]] std::uint64_t key_count() const { return keys; }
  DUOMAP_HD void map(const row<std::uint32_t>& pair, auto& emit) const {
    emit(pair[0] % keys, any_number<Float>(pair));
  }
};
template <class Float>
using hashed_sums = number_sums<Float, std::uint32_t>;
template <class Float>
using dense_sums = number_sums<Float, dense>;

/// A struct with floats, a double and a count; the task has a finish().
struct number_moments {
  float sums[2];
  double squares;
  std::uint32_t count;
};
struct moments_by_key {
  using format = rows<std::uint32_t>;
  using key = dense;
  using reduce = sum_fields<&number_moments::sums, &number_moments::squares, &number_moments::count>;

  [[nodiscard]] static constexpr format records() { return {.width = 2}; }
  [[nodiscard]] static std::uint64_t key_count() { return 37; }
  DUOMAP_HD void map(const row<std::uint32_t>& pair, auto& emit) const {
    // x is finite, and no addition follows a product: nvcc would fuse the two and round differently.
    const float x = static_cast<float>(pair[1]) * 1e-3f;
    emit(pair[0] % 37, number_moments{{x, -x / 3}, static_cast<double>(x) * x, 1});
  }
  [[nodiscard]] double finish(std::uint64_t number, const number_moments& all) const {
    return static_cast<double>(number) + all.squares / all.count - static_cast<double>(all.sums[0]) +
           static_cast<double>(all.sums[1]);
  }
};

/// Several reductions of the same numbers, with ties, NaN and zeros of both signs.
struct number_slots {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = slots<sum<float>, sum<double>, minimum<float>, maximum<double>, argmin<float>, argmax<float>,
                       sum<std::uint64_t>>;

  [[nodiscard]] static constexpr format records() { return {.width = 2}; }
  DUOMAP_HD void map(const row<std::uint32_t>& pair, auto& emit) const {
    const auto number = any_number<float>(pair);
    emit(slot<0>, static_cast<float>(pair[1]) * 1e-3f);
    emit(slot<1>, static_cast<double>(pair[0]) / 3);
    emit(slot<2>, number);
    emit(slot<3>, any_number<double>(pair));
    emit(slot<4>, {pair[1] % 7 == 0 ? number : 0 * number, pair.index / 3});
    emit(slot<5>, {pair[1] % 7 == 0 ? number : 0 * number, pair.index / 3});
    emit(slot<6>, pair[1]);
  }
};

}  // namespace duomap::test

namespace duomap::gpu {

template <class Float, class Key>
inline constexpr bool has_code<deterministic<test::number_sums<Float, Key>>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<deterministic<test::moments_by_key>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<deterministic<test::number_slots>> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
