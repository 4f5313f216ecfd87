// Declares the arguments for finding the k nearest rows of many queries. The smallest distance in every group
// of rows tells which groups can hold one of the k nearest; kernels look again at these groups only.
#pragma once

#include "core/config.hpp"
#include "numeric/knn/distance.hpp"

#include <cstdint>

namespace duomap::gpu {

// The k-th smallest of the groups' minima is at least the k-th smallest distance, because k rows are at least
// as near. So a group with a larger minimum holds none of the k nearest rows (widened_limit() allows for
// single precision). No branch depends on a row's distance, so no order of the rows makes this slow. A unit
// of a few consecutive rows belongs to the group (index of the unit) % groups, which spreads neighbouring
// rows over the groups.

/// A view of one chunk of rows, of the queries, and of the kernels' buffers.
struct nearest_arguments {
  const float* rows;
  std::uint64_t row_count;
  std::uint64_t first_index;  ///< index of the first row, among all rows
  const float* queries;
  std::uint32_t columns;
  std::uint32_t query_count;
  std::uint32_t k;

  std::uint32_t unit_rows;  ///< rows of a unit
  std::uint32_t groups;
  float* minima;  ///< for each query, the minimum of each group
  /// The minima of `coarse_groups` bundles of groups, from which the limits can be computed. May be `minima`.
  float* coarse;
  std::uint32_t coarse_groups;

  float* limits;        ///< for each query: farther rows are not among the best
  float* group_limits;  ///< for each query: a group with a larger minimum holds none of the best
  /// The queries' squared norms, if the minima were computed from products (product_bound). nullptr: the
  /// minima are sums of squared differences.
  const float* product_squares;
  /// For each tile of queries, whether products leave too many groups or rows, so that differences are
  /// needed. nullptr: products were not tried.
  unsigned* needs_differences;
  neighbour* candidates;  ///< `most_candidates` places for each query, in no order
  std::uint32_t most_candidates;
  unsigned* candidate_counts;  ///< for each query; 0 before and after; may exceed most_candidates
  neighbour* best;             ///< for each query k, sorted, of the chunks so far
  unsigned* best_counts;
};

inline constexpr unsigned nearest_threads = 256;

namespace detail {

template <std::uint32_t Columns>
__device__ inline float near_sum(const float (&a)[Columns], const float (&b)[Columns]) {
  float sum = 0;
#pragma unroll
  for (std::uint32_t c = 0; c < Columns; ++c) {
    const float difference = a[c] - b[c];
    sum = fmaf(difference, difference, sum);
  }
  return sum;
}

__device__ inline float near_sum(const float* a, const float* b, std::uint32_t columns) {
  float sum = 0;
  for (std::uint32_t c = 0; c < columns; ++c) {
    const float difference = a[c] - b[c];
    sum = fmaf(difference, difference, sum);
  }
  return sum;
}

inline constexpr float no_distance = __builtin_huge_valf();

/// Whether products have already found the rows of these queries, so that differences have nothing to do.
__device__ inline bool has_products(const nearest_arguments& with, std::uint32_t query_tile) {
  return with.product_squares == nullptr && with.needs_differences != nullptr &&
         with.needs_differences[query_tile] == 0;
}

}  // namespace detail

}  // namespace duomap::gpu
