// Finds the extremes of each column of points, from which k-means makes its grid.
#pragma once

#include "core/chunk.hpp"
#include "core/config.hpp"
#include "core/key.hpp"
#include "core/record/rows.hpp"
#include "core/reduce.hpp"
#include "core/task.hpp"
#include "gpu/make_resident.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace duomap {

/// The task. Column c has two keys: c for its largest number, columns + c for its smallest. Values are
/// integers in the order of the numbers. The smallest one's value is inverted, so that a maximum finds it.
/// Every device and split gives the same values. A column with a NaN has a NaN, of either sign, as an
/// extreme.
template <class T>
struct column_extremes {
  using format = rows<T>;
  using key = dense;
  using order = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using reduce = maximum<order>;

  std::uint32_t columns = 1;

  [[nodiscard]] rows<T> records() const { return {.width = columns}; }
  [[nodiscard]] DUOMAP_HD std::uint64_t key_count() const { return 2 * std::uint64_t{columns}; }

  DUOMAP_HD void map(const row<T>& point, auto& emit) const {
    for (std::uint32_t c = 0; c < columns; ++c) {
      const order place = order_of(point[c]);
      emit(c, place);
      emit(std::uint64_t{columns} + c, ~place);
    }
  }

  /// Emits the values that map() would emit for the points of a chunk, but finds them with vector
  /// instructions.
  void map_chunk(const chunk& part, auto& emit) const {
    const found_extremes all = extremes_of(part);
    if (!all.finite) {
      records().for_each_record(part, [&](const row<T>& point) { map(point, emit); });
      return;
    }
    for (std::uint32_t c = 0; c < columns && part.size >= records().row_bytes(); ++c) {
      emit(c, order_of(all.most[c]));
      emit(std::uint64_t{columns} + c, ~order_of(all.least[c]));
    }
  }

  [[nodiscard]] static T number_of(order place) { return std::bit_cast<T>(turned(place)); }

 private:
  struct found_extremes {
    std::vector<T> least;
    std::vector<T> most;
    bool finite = true;  ///< if false, `least` and `most` hold nothing
  };

  [[nodiscard]] found_extremes extremes_of(const chunk& part) const;

  /// Turns the bits of a float into an integer that is in the order of the floats, and back. The bits of
  /// negative floats are in the opposite order, so these are inverted.
  [[nodiscard]] DUOMAP_HD static order turned(order bits) {
    return bits ^ ((bits >> (8 * sizeof(T) - 1)) & std::numeric_limits<order>::max());
  }
  /// Adds 0, which turns -0 into +0: devices differ in which of the two zeros a comparison keeps.
  [[nodiscard]] DUOMAP_HD static order order_of(T number) {
    return turned(std::bit_cast<order>(number + T{0}));
  }
};

extern template struct column_extremes<float>;
extern template struct column_extremes<double>;

}  // namespace duomap

template <>
inline constexpr bool duomap::gpu::has_resident_code<duomap::column_extremes<float>> = DUOMAP_HAS_CUDA;
