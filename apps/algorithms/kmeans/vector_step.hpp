// The CPU's ways to do a step of k-means and to choose its first centres, one for each vector path
// (cpu/features.hpp); all give the same bits. host only
#pragma once

#include <cstdint>

namespace duomap::kmeans_paths {

/// Rows whose coordinates lie column by column, so that a vector has the same one of several.
inline constexpr std::uint32_t rows_of_block = 64;

/// What a path works with. Arrays by dimension have zeros up to a multiple of `padding` numbers.
template <class T>
struct setting {
  static constexpr std::uint32_t padding = 8;

  std::uint32_t dimensions;
  std::uint32_t centres;
  const T* shift;
  const double* rounders;
  const T* negative_centres;
  const T* half_squares;

  [[nodiscard]] std::uint32_t padded() const { return (dimensions + padding - 1) / padding * padding; }
};

/// A path's functions. Neither reads beyond its points, but for `add`, which reads the last point up to
/// setting::padded() numbers.
template <class T>
struct path {
  /// Points that find_nearest takes at a time: `tile` has `dimensions` times as many numbers.
  std::uint32_t tile_points;
  /// The first of the nearest centres of each point.
  void (*find_nearest)(const setting<T>& with, const T* points, std::uint64_t count, T* tile,
                       std::uint32_t* centre_of_point);
  /// Adds the bits of the coordinates' rounded sums to those of their centre, padded() numbers each. The bits
  /// of the rounders are still in them, once for each point.
  void (*add)(const setting<T>& with, const T* points, std::uint64_t count,
              const std::uint32_t* centre_of_point, std::uint64_t* sums);
  /// The squared distances of a block's rows to a point: one fused multiplication and addition a column.
  void (*squares_to)(const T* point, std::uint32_t columns, const T* block, T* squares);
};

[[nodiscard]] const path<float>& portable(float);
[[nodiscard]] const path<double>& portable(double);
[[nodiscard]] const path<float>& avx2(float);
[[nodiscard]] const path<double>& avx2(double);
[[nodiscard]] const path<float>& avx512(float);
[[nodiscard]] const path<double>& avx512(double);

/// The path of this process; `portable` where the CPU has AVX2 and no FMA.
template <class T>
[[nodiscard]] const path<T>& active();

}  // namespace duomap::kmeans_paths
