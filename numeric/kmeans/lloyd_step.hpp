// Declares one step of Lloyd's algorithm: exact sums, in integers on a grid, of the points nearest to each
// centre.
#pragma once

#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/make_resident.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace duomap {

/// Points are rows of `dimensions` numbers of type T. A point belongs to the nearest centre, the first of
/// equally near ones. The step subtracts `shift` from points, so that data far from the origin keeps its
/// digits, and compares |c|^2 / 2 - c x. It uses one fused multiply-add for each dimension, in the order of
/// the dimensions: the same bits on every device.
///
/// The step adds integers, the coordinates rounded to a grid. So any order, cut or device gives the same
/// sums, and a sum over 2^40 points is as precise as one point.
///
/// Keys: the sum of dimension d of centre c has key c * (dimensions + 1) + d, and the number of points has
/// the key after them. Behind all centres follow three sums for each dimension, over the coordinates high *
/// 2^low_bits + low of all points: high * high, high * low and low * low. They are 0 unless `squares`.
/// Devices may split a coordinate differently; the sum of squares that the three make up is the same.
template <class T>
struct lloyd_step {
  using format = rows<T>;
  using key = dense;
  using reduce = sum<std::int64_t>;

  std::uint32_t dimensions = 1;
  std::uint32_t low_bits = 0;
  bool squares = false;
  broadcast<T> shift = {};
  /// For each dimension, 1.5 * 2^52 times the grid's unit, which is a power of two. The sum of this number
  /// and a coordinate has the coordinate's number of units in its lowest bits.
  broadcast<double> rounders = {};
  broadcast<T> negative_centres = {};  ///< shifted -c: `dimensions` numbers for each centre
  broadcast<T> half_squares = {};      ///< |c|^2 / 2

  [[nodiscard]] DUOMAP_HD std::uint32_t centres() const {
    return static_cast<std::uint32_t>(half_squares.size);
  }
  [[nodiscard]] DUOMAP_HD std::uint64_t sum_keys() const {
    return std::uint64_t{centres()} * (dimensions + 1);
  }
  [[nodiscard]] rows<T> records() const { return {.width = dimensions}; }
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return sum_keys() + 3 * dimensions; }
  DUOMAP_HD void visit_broadcast(auto&& visit) {
    visit(shift);
    visit(rounders);
    visit(negative_centres);
    visit(half_squares);
  }

  DUOMAP_HD void map(const row<T>& point, auto& emit) const {
    const std::uint32_t centre = nearest(point.values);
    const std::uint64_t base = std::uint64_t{centre} * (dimensions + 1);
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      const std::int64_t units = on_grid(point[d] - shift[d], d);
      emit(base + d, units);
      if (!squares) continue;
      const std::int64_t high = units >> low_bits;
      const std::int64_t low = units - (high << low_bits);
      emit(sum_keys() + 3 * d, high * high);
      emit(sum_keys() + 3 * d + 1, high * low);
      emit(sum_keys() + 3 * d + 2, low * low);
    }
    emit(base + dimensions, std::int64_t{1});
  }

  /// Emits the sums that map() would emit for the points of a chunk, added up in vector registers.
  void map_chunk(const chunk& part, auto& emit) const {
    const std::vector<std::int64_t> sums = sums_of(part);
    for (std::uint64_t c = 0; c < centres(); ++c) {
      const std::uint64_t base = c * (dimensions + 1);
      if (sums[base + dimensions] == 0) continue;
      for (std::uint64_t d = 0; d <= dimensions; ++d) emit(base + d, sums[base + d]);
    }
    for (std::uint64_t at = sum_keys(); squares && at < sums.size(); ++at) emit(at, sums[at]);
  }

  /// Estimates the seconds of a step over `points` points, if all centres together have `coordinates`
  /// coordinates. Measured on an H200 and on a core of its host with AVX-512, with 20 to 100 centres.
  [[nodiscard]] static double cpu_seconds_of(double points, double coordinates, unsigned workers) {
    return points * (14e-9 + 0.025e-9 * coordinates) * (sizeof(T) / sizeof(float)) / workers;
  }
  [[nodiscard]] static double gpu_seconds_of(double points, double coordinates) {
    return points * (0.01e-9 + 0.6e-13 * coordinates);
  }
  [[nodiscard]] double cpu_seconds(std::uint64_t bytes, unsigned workers) const {
    return cpu_seconds_of(points_in(bytes), coordinates(), workers);
  }
  [[nodiscard]] double gpu_seconds(std::uint64_t bytes) const {
    return gpu_seconds_of(points_in(bytes), coordinates());
  }

  /// Finds the nearest centre of every point of a chunk (the first of equally near ones), as map() does.
  void find_nearest(const chunk& part, std::uint32_t* centre_of_point) const;

  /// The nearest centre of a point, the first of equally near ones.
  [[nodiscard]] DUOMAP_HD std::uint32_t nearest(const T* point) const {
    T smallest = std::numeric_limits<T>::infinity();
    std::uint32_t index = 0;
    for (std::uint32_t c = 0; c < centres(); ++c) {
      T score = half_squares[c];
      for (std::uint32_t d = 0; d < dimensions; ++d) {
        score = std::fma(negative_centres[std::uint64_t{c} * dimensions + d], point[d] - shift[d], score);
      }
      if (score < smallest) {
        smallest = score;
        index = c;
      }
    }
    return index;
  }

 private:
  [[nodiscard]] double points_in(std::uint64_t bytes) const {
    return static_cast<double>(bytes / records().row_bytes());
  }
  [[nodiscard]] double coordinates() const { return static_cast<double>(dimensions) * centres(); }

  /// The value of every key for the points of a chunk.
  [[nodiscard]] std::vector<std::int64_t> sums_of(const chunk& part) const;

  [[nodiscard]] DUOMAP_HD std::int64_t on_grid(T shifted, std::uint32_t d) const {
    return std::bit_cast<std::int64_t>(static_cast<double>(shifted) + rounders[d]) -
           std::bit_cast<std::int64_t>(rounders[d]);
  }
};

extern template struct lloyd_step<float>;
extern template struct lloyd_step<double>;

}  // namespace duomap

/// Only the step over floats has GPU code, because GPUs round to the grid in float.
template <>
inline constexpr bool duomap::gpu::has_resident_code<duomap::lloyd_step<float>> = DUOMAP_HAS_CUDA;

#if DUOMAP_HAS_CUDA
namespace duomap::gpu {

template <>
std::unique_ptr<resident_loop<lloyd_step<float>>> make_resident(const lloyd_step<float>& task,
                                                                const chunk& part, int device);

}  // namespace duomap::gpu
#endif
