// Which rows of a tile may be near which queries: distances in the rows' own precision, by vector
// instructions. host only
#pragma once

#include "cpu/features.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap {

/// Rows of a tile. It is stored column by column, so that neighbouring rows are neighbours in a vector.
inline constexpr std::uint32_t filter_tile_rows = 64;

/// Rows of a tile, one for each bit, that may be near a query: all 64, or one of the blocks that a filter
/// works on.
struct filter_hit {
  std::uint64_t rows;
  std::uint32_t query;
};

inline constexpr std::uint32_t most_hits_of_query = 4;

/// What a filter works on.
template <class T>
struct filter_arguments {
  const T* tile;  ///< filter_tile_rows values of each column
  std::uint32_t columns;
  const T* queries;  ///< row by row
  std::uint32_t query_count;
  const T* limits;  ///< of each query: a row whose sum exceeds it is not near
  /// Sums of columns so far, filter_tile_rows for each query, the number of queries rounded up to four: for
  /// tiles of more columns than stay in the first-level cache.
  T* sums;
  filter_hit* hits;  ///< room for most_hits_of_query of each
};

/// The functions of one vector path; both give the same bits as those of the other paths would, but that the
/// sums of a filter may be rounded differently.
template <class T>
struct row_filter {
  /// Returns the number of hits.
  std::size_t (*find)(const filter_arguments<T>& with);
  /// squared_distance() of apps/algorithms/knn/distance.hpp.
  double (*squared_distance)(const T* a, const T* b, std::uint32_t columns);
};

/// The best that this CPU has for float or double on a vector path (it may lack fused multiply-adds).
template <class T>
[[nodiscard]] const row_filter<T>& row_filter_for(cpu::vector_path path) noexcept;

}  // namespace duomap
