// The extremes of each column of points: what the grid of k-means is made of.
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

/// Keys: for column c the largest number is key c, the smallest is key columns + c. Values are whole numbers
/// in the order of the numbers, those of the smallest turned round: so any order, cut or device gives the
/// same ones. A column with a NaN has one, of either sign, for an extreme.
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

  /// What map() emits for all points of a chunk, by vector instructions.
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
    bool finite = true;  ///< all numbers are; nothing holds else
  };

  [[nodiscard]] found_extremes extremes_of(const chunk& part) const;

  /// The bits of numbers are in their order, but those of negative ones are in the opposite one.
  [[nodiscard]] DUOMAP_HD static order turned(order bits) {
    return bits ^ ((bits >> (8 * sizeof(T) - 1)) & std::numeric_limits<order>::max());
  }
  /// Zeros of both signs are one: nothing tells which of them a comparison keeps.
  [[nodiscard]] DUOMAP_HD static order order_of(T number) {
    return turned(std::bit_cast<order>(number + T{0}));
  }
};

extern template struct column_extremes<float>;
extern template struct column_extremes<double>;

}  // namespace duomap

template <>
inline constexpr bool duomap::gpu::has_resident_code<duomap::column_extremes<float>> = DUOMAP_HAS_CUDA;
