// Declares the functions that run a step of k-means and choose the first centres on the CPU, for each vector
// path (cpu/features.hpp). All paths give the same bits. host only
#pragma once

#include <cstdint>

namespace duomap::kmeans_paths {

/// Rows of a block. Their coordinates lie column by column, so that a vector holds one column of several
/// rows.
inline constexpr std::uint32_t rows_of_block = 64;

/// The arguments of a path's functions. Arrays over dimensions have zeros up to a multiple of `padding`
/// numbers.
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

/// The functions of a vector path. Only `add` reads beyond its points: it reads setting::padded() numbers of
/// the last point.
template <class T>
struct path {
  /// The number of points that find_nearest takes at a time. `tile` has `dimensions` times this number of
  /// values.
  std::uint32_t tile_points;
  /// Finds the nearest centre of each point, the first of equally near ones.
  void (*find_nearest)(const setting<T>& with, const T* points, std::uint64_t count, T* tile,
                       std::uint32_t* centre_of_point);
  /// Adds the bits of each rounded coordinate to a sum of the nearest centre; a centre has padded() sums.
  /// Each coordinate also adds its rounder's bits, which stay in the sum.
  void (*add)(const setting<T>& with, const T* points, std::uint64_t count,
              const std::uint32_t* centre_of_point, std::uint64_t* sums);
  /// The squared distances of a block's rows to a point, with one fused multiply-add for each column.
  void (*squares_to)(const T* point, std::uint32_t columns, const T* block, T* squares);
};

[[nodiscard]] const path<float>& portable(float);
[[nodiscard]] const path<double>& portable(double);
[[nodiscard]] const path<float>& avx2(float);
[[nodiscard]] const path<double>& avx2(double);
[[nodiscard]] const path<float>& avx512(float);
[[nodiscard]] const path<double>& avx512(double);

/// The functions of this process's vector path; `portable` on a CPU that has AVX2 but no FMA.
template <class T>
[[nodiscard]] const path<T>& active();

}  // namespace duomap::kmeans_paths
