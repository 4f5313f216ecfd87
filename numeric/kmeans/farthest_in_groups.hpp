// Finds the largest squared distance of a point to its nearest centre in each group of rows. These distances
// tell which groups can hold the farthest points.
#pragma once

#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/make_resident.hpp"
#include "numeric/kmeans/lloyd_step.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>

namespace duomap {

/// The task. A key is a group of consecutive rows. A value is a squared distance as the bits of a double:
/// squares are not negative, so their bits have their order. Every device and split gives the same values.
template <class T>
struct farthest_in_groups {
  using format = rows<T>;
  using key = dense;
  using reduce = maximum<std::int64_t>;

  lloyd_step<T> step;
  std::uint64_t rows_of_group = 1;
  std::uint64_t groups = 1;

  farthest_in_groups() = default;
  /// `rows`: the number of all points, at least one.
  farthest_in_groups(const lloyd_step<T>& of, std::uint64_t rows)
    : step(of),
      rows_of_group(std::max(least_rows, (rows + most_groups - 1) / most_groups)),
      groups((rows + rows_of_group - 1) / rows_of_group) {}

  [[nodiscard]] rows<T> records() const { return step.records(); }
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return groups; }

  void map(const row<T>& point, auto& emit) const {
    const double square = square_to(point.values, step.nearest(point.values));
    emit(point.index / rows_of_group, std::bit_cast<std::int64_t>(square));
  }

  /// Emits the values that map() would emit for the points of a chunk, but computes them with vector
  /// instructions.
  void map_chunk(const chunk& part, auto& emit) const {
    const std::uint64_t row_bytes = records().row_bytes();
    std::uint64_t row = part.offset / row_bytes;
    const std::uint64_t end = row + part.size / row_bytes;
    for (const char* from = part.data; row < end;) {
      const std::uint64_t group = row / rows_of_group;
      const std::uint64_t here = std::min(end, (group + 1) * rows_of_group) - row;
      emit(group, std::bit_cast<std::int64_t>(largest_square({.data = from, .size = here * row_bytes})));
      row += here;
      from += here * row_bytes;
    }
  }

  /// The squared distance of a point to a centre.
  [[nodiscard]] double square_to(const T* point, std::uint32_t centre) const {
    const T* const negative = step.negative_centres.data + std::uint64_t{centre} * step.dimensions;
    double square = 0;
    for (std::uint32_t d = 0; d < step.dimensions; ++d) {
      const double difference =
          static_cast<double>(point[d] - step.shift[d]) + static_cast<double>(negative[d]);
      square += difference * difference;
    }
    return square;
  }

 private:
  // The host looks at all rows of each group that may hold a farthest point, so groups must be small.
  static constexpr std::uint64_t least_rows = 256;
  static constexpr std::uint64_t most_groups = 16'384;

  [[nodiscard]] double largest_square(const chunk& part) const;
};

extern template struct farthest_in_groups<float>;
extern template struct farthest_in_groups<double>;

}  // namespace duomap

template <>
inline constexpr bool duomap::gpu::has_resident_code<duomap::farthest_in_groups<float>> = DUOMAP_HAS_CUDA;

#if DUOMAP_HAS_CUDA
namespace duomap::gpu {

template <>
std::unique_ptr<resident_loop<farthest_in_groups<float>>> make_resident(const farthest_in_groups<float>& task,
                                                                        const chunk& part, int device);

}  // namespace duomap::gpu
#endif
