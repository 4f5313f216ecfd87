// Tasks with dense keys, written in the same way as the tasks of tasks.hpp.
#pragma once

#include "bench/unseen/scrambled.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/make_backend.hpp"

#include <array>
#include <cstdint>

namespace duomap::apps::unseen {

/// Counts the values of each colour in an image of three bytes a pixel.
struct histogram {
  using format = rows<unsigned char>;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static format records() { return {.width = 3}; }
  [[nodiscard]] static std::uint64_t key_count() { return 768; }
  DUOMAP_HD void map(const row<unsigned char>& pixel, auto& emit) const {
    for (std::uint32_t colour = 0; colour < 3; ++colour) emit(256 * colour + pixel[colour], 1);
  }
};

/// Does a step of logistic regression on eight features. The gradient is in millionths, so that its sum is
/// exact.
struct gradient {
  using format = rows<std::uint32_t>;
  using key = dense;
  using reduce = sum<std::int64_t>;

  std::array<float, 8> weights = {};

  [[nodiscard]] static format records() { return {.width = 8}; }
  [[nodiscard]] static std::uint64_t key_count() { return 8; }
  DUOMAP_HD void map(const row<std::uint32_t>& point, auto& emit) const {
    float sum = 0;
    for (std::uint32_t i = 0; i < 8; ++i) sum += weights[i] * static_cast<float>(point[i] & 255);
    const float error = (sum > 0 ? 1.0F : 0.0F) - static_cast<float>(point[0] >> 31);
    for (std::uint32_t i = 0; i < 8; ++i)
      emit(i, static_cast<std::int64_t>(error * static_cast<float>(point[i] & 255) * 1e6F));
  }
};

/// One record in a hundred costs a hundred times as much as the others.
struct uneven {
  using format = rows<std::uint32_t>;
  using key = dense;
  using reduce = sum<std::uint64_t>;

  [[nodiscard]] static std::uint64_t key_count() { return 16; }
  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const {
    std::uint32_t mixed = number[0];
    const std::uint32_t steps = number[0] % 100 == 0 ? 200 : 2;
    for (std::uint32_t i = 0; i < steps; ++i) mixed = scrambled(mixed);
    emit(mixed % 16, 1);
  }
};

}  // namespace duomap::apps::unseen

namespace duomap::gpu {
template <>
inline constexpr bool has_code<apps::unseen::histogram> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<apps::unseen::gradient> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<apps::unseen::uneven> = DUOMAP_HAS_CUDA;
}  // namespace duomap::gpu
