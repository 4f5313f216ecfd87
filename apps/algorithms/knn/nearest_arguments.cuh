// The k nearest rows of many queries: the smallest distance of every group of rows says which groups can hold
// one of the k nearest, and only those are looked at again.
#pragma once

#include "apps/algorithms/knn/distance.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap::gpu {

// The k-th smallest of the groups' minima is no less than the k-th smallest distance: there are k rows that
// near. So groups whose minimum exceeds it (widened_limit(): minima are in single precision) are ruled out
// without a branch on any row's distance, and the order of the rows cannot make that slow. A unit of a few
// consecutive rows belongs to the group (index of the unit) % groups, which spreads rows that are near each
// other.

/// One chunk of rows, and what becomes of it. A view.
struct nearest_arguments {
  const float* rows;
  std::uint64_t row_count;
  std::uint64_t first_index;  ///< of the first row, among all
  const float* queries;
  std::uint32_t columns;
  std::uint32_t query_count;
  std::uint32_t k;

  std::uint32_t unit_rows;  ///< rows of a unit
  std::uint32_t groups;
  float* minima;  ///< of each query, of each group
  /// The same of `coarse_groups` bundles of groups, which suffice for the limit; may be the minima.
  float* coarse;
  std::uint32_t coarse_groups;

  float* limits;        ///< of each query: what exceeds it is not among the best
  float* group_limits;  ///< of each query: a group whose minimum exceeds it has none of them
  /// The minima are those of product_bound, of queries with these squares; nullptr: of differences.
  const float* product_squares;
  /// For each tile of queries whether products leave too many groups or rows, so that differences are needed;
  /// nullptr: no products were tried.
  unsigned* needs_differences;
  neighbour* candidates;  ///< of each query `most_candidates`, in no order
  std::uint32_t most_candidates;
  unsigned* candidate_counts;  ///< 0 before and after; may exceed most_candidates
  neighbour* best;             ///< of each query k, sorted, of the chunks so far
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

/// Whether products have found the rows of these queries, and nothing is left to do for differences.
__device__ inline bool has_products(const nearest_arguments& with, std::uint32_t query_tile) {
  return with.product_squares == nullptr && with.needs_differences != nullptr &&
         with.needs_differences[query_tile] == 0;
}

}  // namespace detail

}  // namespace duomap::gpu
