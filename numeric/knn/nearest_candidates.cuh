// Lists the rows that can be among the k nearest, and ranks them, by kernels (nearest_arguments.cuh).
#pragma once

#include "gpu/engines/top_k/sort_together.cuh"
#include "gpu/runtime/warp.cuh"
#include "numeric/knn/nearest_arguments.cuh"
#include "numeric/knn/nearest_minima.cuh"
#include "numeric/knn/product_bound.hpp"

#include <cstdint>

namespace duomap::gpu {

/// The number of threads of a large block of find_limits(). A multiprocessor runs two large blocks at
/// once, or sixteen small blocks. All threads of a block wait at a barrier for each bit. So small blocks are
/// faster, if the queries fill the device. 8192 queries take 0.6 ms in large blocks.
inline constexpr unsigned many_limit_threads = 1024;
inline constexpr unsigned few_limit_threads = 128;

/// The most groups that products may leave for a query. The rows of each such group are read again, to
/// compute differences.
[[nodiscard]] DUOMAP_HD constexpr unsigned most_groups_left(std::uint32_t k) { return 2 * k + 128; }

/// Finds the limit of each query; one block for each query. The limit comes from the k-th smallest of the
/// bundles' minima (rounded up to 15 bits of the fraction), and from the k-th best row of earlier chunks.
template <unsigned Threads>
__global__ void __launch_bounds__(Threads) find_limits(const __grid_constant__ nearest_arguments with) {
  constexpr unsigned first_bit = 30;  // distances are not negative, so their bits have their order
  constexpr unsigned last_bit = 8;
  __shared__ unsigned counts[first_bit + 1];
  const std::uint32_t query = blockIdx.x;
  const bool by_products = with.product_squares != nullptr;
  if (detail::has_products(with, query / tile_queries)) return;
  const auto* const bits =
      reinterpret_cast<const unsigned*>(with.coarse) + std::uint64_t{query} * with.coarse_groups;
  if (threadIdx.x <= first_bit) counts[threadIdx.x] = 0;
  __syncthreads();
  // Finds the largest value with fewer than k minima below it.
  unsigned below = 0;
  const bool has_enough = with.coarse_groups >= with.k;
  for (unsigned bit = first_bit; has_enough && bit >= last_bit; --bit) {
    const unsigned tried = below | 1u << bit;
    unsigned mine = 0;
    for (std::uint32_t i = threadIdx.x; i < with.coarse_groups; i += Threads) mine += bits[i] < tried;
    const auto of_warp = static_cast<unsigned>(warp_sum(mine));
    if (lane_index() == 0 && of_warp > 0) atomicAdd(&counts[bit], of_warp);
    __syncthreads();
    if (counts[bit] < with.k) below = tried;
  }
  __shared__ float group_limit;
  __shared__ unsigned left;
  if (threadIdx.x == 0) {
    const product_bound bound(with.columns, by_products ? with.product_squares[query] : 0.0);
    double kth = detail::no_distance;
    if (has_enough) {
      const unsigned at_most = min(below | ((1u << last_bit) - 1), __float_as_uint(detail::no_distance));
      kth = static_cast<double>(__uint_as_float(at_most));
      if (by_products) kth = bound.most_distance(kth);
    }
    if (with.best_counts[query] == with.k)
      kth = fmin(kth, with.best[(std::uint64_t{query} + 1) * with.k - 1].score);
    const float limit = __double2float_ru(widened_limit(kth, with.columns));
    with.limits[query] = limit;
    group_limit = limit;
    if (by_products)
      group_limit = bound.holds(kth) ? __double2float_ru(bound.most_sum(kth)) : detail::no_distance;
    with.group_limits[query] = group_limit;
    with.candidate_counts[query] = 0;
    left = 0;
  }
  if (!by_products) return;
  __syncthreads();
  unsigned mine = 0;
  for (std::uint32_t i = threadIdx.x; i < with.coarse_groups; i += Threads)
    mine += __uint_as_float(bits[i]) > group_limit ? 0 : 1;
  const auto of_warp = static_cast<unsigned>(warp_sum(mine));
  if (lane_index() == 0) atomicAdd(&left, of_warp);
  __syncthreads();
  if (threadIdx.x == 0 && left > most_groups_left(with.k)) {
    with.needs_differences[query / tile_queries] = 1;
    with.group_limits[query] = -1;  // no group, until differences have found the limit
  }
}

namespace detail {

/// The rows of a group, numbered for the lanes or threads that look at them.
struct group_rows {
  const nearest_arguments& with;
  std::uint32_t group;

  /// An upper bound of the number of rows; look_at() skips numbers beyond the last row.
  [[nodiscard]] __device__ std::uint64_t count() const {
    const std::uint64_t units = (with.row_count + with.unit_rows - 1) / with.unit_rows;
    return group < units ? ((units - group - 1) / with.groups + 1) * with.unit_rows : 0;
  }
  [[nodiscard]] __device__ std::uint64_t row(std::uint64_t i) const {
    const std::uint64_t unit = group + i / with.unit_rows * with.groups;
    return unit * with.unit_rows + i % with.unit_rows;
  }
};

/// Calls use(neighbour) if the row is within the limit.
template <class Use>
__device__ void look_at(const nearest_arguments& with, std::uint32_t query, std::uint64_t row, float limit,
                        const Use& use) {
  if (row >= with.row_count) return;
  const float* const values = with.rows + row * with.columns;
  const float* const to = with.queries + std::uint64_t{query} * with.columns;
  if (near_sum(values, to, with.columns) > limit) return;
  use(neighbour{squared_distance(values, to, with.columns), with.first_index + row});
}

/// Does look_at() with eight lanes together, each of which has every eighth column. Whole warps call it.
template <class Use>
__device__ void look_together(const nearest_arguments& with, std::uint32_t query, std::uint64_t row,
                              float limit, const Use& use) {
  const std::uint32_t lane = lane_index() % 8;
  const bool is_there = row < with.row_count;
  const float* const values = with.rows + row * with.columns;
  const float* const to = with.queries + std::uint64_t{query} * with.columns;
  float sum = 0;
  if (is_there) {
#pragma unroll 16
    for (std::uint32_t c = lane; c < with.columns; c += 8) {
      const float difference = values[c] - to[c];
      sum = fmaf(difference, difference, sum);
    }
  }
#pragma unroll
  for (unsigned step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(all_lanes, sum, step);
  const bool is_near = is_there && !(sum > limit);
  if (!__any_sync(all_lanes, is_near)) return;
  // The sums of squared_distance(), added in the same order.
  double exact = 0;
  if (is_near) {
#pragma unroll 16
    for (std::uint32_t c = lane; c < with.columns; c += 8) {
      const double difference = static_cast<double>(values[c]) - static_cast<double>(to[c]);
      exact = fma(difference, difference, exact);
    }
  }
#pragma unroll
  for (unsigned step = 4; step > 0; step /= 2) exact += __shfl_xor_sync(all_lanes, exact, step);
  if (is_near && lane == 0) use(neighbour{exact, with.first_index + row});
}

/// From this number of columns on, eight lanes look at each row.
inline constexpr std::uint32_t columns_of_eight_lanes = 32;

}  // namespace detail

/// Lists the rows within the limits: a lane checks the minimum of each group and query (blockIdx.y), and a
/// warp reads each group that may hold such a row.
__global__ void __launch_bounds__(nearest_threads)
    collect_candidates(const __grid_constant__ nearest_arguments with) {
  const std::uint32_t query = blockIdx.y;
  if (detail::has_products(with, query / tile_queries)) return;
  const float limit = with.limits[query];
  const std::uint32_t mine = blockIdx.x * nearest_threads + threadIdx.x;
  const auto add = [&](const neighbour& found) {
    const unsigned place = atomicAdd(&with.candidate_counts[query], 1u);
    if (place < with.most_candidates) {
      with.candidates[std::uint64_t{query} * with.most_candidates + place] = found;
    } else if (with.product_squares != nullptr) {
      with.needs_differences[query / tile_queries] = 1;
    }
  };
  bool may_hold = false;
  if (mine < with.groups)
    may_hold = !(with.minima[std::uint64_t{query} * with.groups + mine] > with.group_limits[query]);
  unsigned left = __ballot_sync(all_lanes, may_hold);
  for (; left != 0; left &= left - 1) {
    const detail::group_rows group{
        with, mine - lane_index() + static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1};
    if (with.columns < detail::columns_of_eight_lanes) {
      for (std::uint64_t i = lane_index(); i < group.count(); i += 32)
        detail::look_at(with, query, group.row(i), limit, add);
    } else {
      for (std::uint64_t i = lane_index() / 8; i - lane_index() / 8 < group.count(); i += 4) {
        const std::uint64_t row = i < group.count() ? group.row(i) : with.row_count;
        detail::look_together(with, query, row, limit, add);
      }
    }
  }
}

/// Neighbours in shared memory of a block of rank_candidates(): the k best, and room for the neighbours that
/// its threads add before it sorts.
[[nodiscard]] constexpr std::uint32_t rank_room(std::uint32_t k) { return 2 * k + nearest_threads; }

/// Finds the k best of the candidates and of earlier chunks; one block for each query. If equally far rows
/// have overfilled the list of candidates, this block alone looks again at all groups within the limit.
__global__ void __launch_bounds__(nearest_threads)
    rank_candidates(const __grid_constant__ nearest_arguments with) {
  extern __shared__ uint4 rank_memory[];
  auto* const items = reinterpret_cast<neighbour*>(rank_memory);
  __shared__ unsigned count;
  __shared__ float limit;
  const std::uint32_t query = blockIdx.x;
  const std::uint32_t room = rank_room(with.k);
  neighbour* const best = with.best + std::uint64_t{query} * with.k;
  const unsigned before = with.best_counts[query];
  const unsigned found = with.candidate_counts[query];
  for (unsigned i = threadIdx.x; i < before; i += nearest_threads) items[i] = best[i];
  if (threadIdx.x == 0) {
    count = before;
    limit = with.limits[query];
  }
  __syncthreads();

  // Sorts the neighbours, and keeps the k best. All threads call it after a barrier; it ends with a barrier.
  const auto keep_best = [&] {
    const unsigned all = count;
    sort_together<whole_block>(items, all, nearer{});
    if (threadIdx.x == 0 && all >= with.k) {
      count = with.k;
      limit = fminf(limit, __double2float_ru(widened_limit(items[with.k - 1].score, with.columns)));
    }
    __syncthreads();
  };

  if (found <= with.most_candidates) {
    const neighbour* const list = with.candidates + std::uint64_t{query} * with.most_candidates;
    for (unsigned done = 0; done < found;) {
      const unsigned kept = count;
      const unsigned more = min(found - done, room - kept);
      for (unsigned i = threadIdx.x; i < more; i += nearest_threads) items[kept + i] = list[done + i];
      __syncthreads();
      if (threadIdx.x == 0) count = kept + more;
      __syncthreads();
      keep_best();
      done += more;
    }
  } else {
    for (std::uint32_t g = 0; g < with.groups; ++g) {
      if (with.minima[std::uint64_t{query} * with.groups + g] > limit) continue;  // the same for all threads
      const detail::group_rows group{with, g};
      const std::uint64_t rows = group.count();
      for (std::uint64_t first = 0; first < rows; first += nearest_threads) {
        const float now = limit;
        if (first + threadIdx.x < rows) {
          detail::look_at(with, query, group.row(first + threadIdx.x), now,
                          [&](const neighbour& one) { items[atomicAdd(&count, 1u)] = one; });
        }
        __syncthreads();
        if (count > room - nearest_threads) keep_best();
        __syncthreads();
      }
    }
    keep_best();
  }

  const unsigned kept = min(count, with.k);
  for (unsigned i = threadIdx.x; i < kept; i += nearest_threads) best[i] = items[i];
  if (threadIdx.x == 0) {
    with.best_counts[query] = kept;
    with.candidate_counts[query] = 0;
  }
}

}  // namespace duomap::gpu
