// Finds the rows of a tile that may be near queries, by distances in the rows' own precision, with vector
// instructions. host only
#pragma once

#include "cpu/features.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap {

/// Rows of a tile. A tile is stored column by column, so that neighbouring rows share a vector.
inline constexpr std::uint32_t filter_tile_rows = 64;

/// Rows that may be near a query, one bit for each row of the tile. A hit covers all 64 rows, or one of the
/// blocks that the filter works on.
struct filter_hit {
  std::uint64_t rows;
  std::uint32_t query;
};

inline constexpr std::uint32_t most_hits_of_query = 4;

template <class T>
struct filter_arguments {
  const T* tile;  ///< column by column, filter_tile_rows values each
  std::uint32_t columns;
  const T* queries;  ///< row by row
  std::uint32_t query_count;
  const T* limits;  ///< for each query: a row with a larger sum is not near
  /// Sums over the columns so far, for tiles with more columns than stay in the first-level cache:
  /// filter_tile_rows for each query, with the number of queries rounded up to four.
  T* sums;
  filter_hit* hits;  ///< room for most_hits_of_query for each query
};

/// The functions of one vector path. All paths give the same bits, except that the sums of a filter may round
/// differently.
template <class T>
struct row_filter {
  /// Returns the number of hits.
  std::size_t (*find)(const filter_arguments<T>& with);
  /// squared_distance() of numeric/knn/distance.hpp.
  double (*squared_distance)(const T* a, const T* b, std::uint32_t columns);
};

/// The functions for float or double of a vector path, or of a simpler one if this CPU has no fused
/// multiply-adds.
template <class T>
[[nodiscard]] const row_filter<T>& row_filter_for(cpu::vector_path path) noexcept;

}  // namespace duomap
