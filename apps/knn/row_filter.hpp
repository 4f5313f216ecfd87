// Which rows of a tile may be near which queries: distances in single precision, by vector instructions.
// host only
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
struct filter_arguments {
  const float* tile;  ///< filter_tile_rows values of each column
  std::uint32_t columns;
  const float* queries;  ///< row by row
  std::uint32_t query_count;
  const float* limits;  ///< of each query: a row whose sum exceeds it is not near
  /// Sums of columns so far, filter_tile_rows for each query, the number of queries rounded up to four: for
  /// tiles of more columns than stay in the first-level cache.
  float* sums;
  filter_hit* hits;  ///< room for most_hits_of_query of each
};

/// The functions of one vector path; both give the same bits as those of the other paths would, but that the
/// sums of a filter may be rounded differently.
struct row_filter {
  /// Returns the number of hits.
  std::size_t (*find)(const filter_arguments& with);
  /// squared_distance() of apps/knn/distance.hpp.
  double (*squared_distance)(const float* a, const float* b, std::uint32_t columns);
};

/// The best that this CPU has on a vector path (it may lack fused multiply-adds).
[[nodiscard]] const row_filter& row_filter_for(cpu::vector_path path) noexcept;

}  // namespace duomap
