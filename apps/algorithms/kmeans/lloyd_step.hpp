// One step of Lloyd's algorithm: exact sums, on a grid of integers, of the points nearest to each centre.
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

/// Points are rows of `dimensions` numbers of type T; a point belongs to the nearest centre, of equally near
/// ones to the first. All distances are taken after `shift` is subtracted, so that data far from the origin
/// keeps its digits, and by |c|^2 / 2 - c x, one fused multiplication and addition a dimension, in the order
/// of the dimensions: the same bits on every device.
///
/// What is summed are integers, the coordinates rounded to a grid: any order, cut or device gives the same
/// sums, and 2^40 points lose no more digits than one.
///
/// Keys: for centre c and dimension d the sum is key c * (dimensions + 1) + d, the number of its points is
/// the key behind them; behind all centres come three sums for each dimension, high * high, high * low and
/// low * low, of all points' coordinates high * 2^low_bits + low; nothing unless `squares`. How a coordinate
/// is taken apart may differ from device to device; the sum of the squares that they make does not.
template <class T>
struct lloyd_step {
  using format = rows<T>;
  using key = dense;
  using reduce = sum<std::int64_t>;

  std::uint32_t dimensions = 1;
  std::uint32_t low_bits = 0;
  bool squares = false;
  broadcast<T> shift = {};
  /// For each dimension 1.5 * 2^52 times its grid's unit, a power of two: a double that is added to it has
  /// the number of units in its lowest bits.
  broadcast<double> rounders = {};
  broadcast<T> negative_centres = {};  ///< -c, shifted; `dimensions` for each centre
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

  /// What map() emits for all points of a chunk, added up in vector registers.
  void map_chunk(const chunk& part, auto& emit) const {
    const std::vector<std::int64_t> sums = sums_of(part);
    for (std::uint64_t c = 0; c < centres(); ++c) {
      const std::uint64_t base = c * (dimensions + 1);
      if (sums[base + dimensions] == 0) continue;
      for (std::uint64_t d = 0; d <= dimensions; ++d) emit(base + d, sums[base + d]);
    }
    for (std::uint64_t at = sum_keys(); squares && at < sums.size(); ++at) emit(at, sums[at]);
  }

  /// The time of a step over so many points, with `coordinates` in all centres: measured on an H200 and on a
  /// core of its host with AVX-512, with 20 to 100 centres.
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

  /// For every point of a chunk the first of the centres that are nearest, as map() finds it.
  void find_nearest(const chunk& part, std::uint32_t* centre_of_point) const;

  /// The first of the centres that are nearest to a point.
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
  /// Of all centres.
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

/// float on GPUs too, double on the CPU only: what is rounded to the grid costs GPUs floats alone.
template <>
inline constexpr bool duomap::gpu::has_resident_code<duomap::lloyd_step<float>> = DUOMAP_HAS_CUDA;

#if DUOMAP_HAS_CUDA
namespace duomap::gpu {

template <>
std::unique_ptr<resident_loop<lloyd_step<float>>> make_resident(const lloyd_step<float>& task,
                                                                const chunk& part, int device);

}  // namespace duomap::gpu
#endif
