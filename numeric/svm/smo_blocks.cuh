// Runs SMO with working sets as one resident kernel. Each part of a block offers those of its own points that
// violate the optimum most. The set has the best offers, and points of the set before. One block solves the
// set, and then all blocks apply the changed multipliers. The kernel ends when kernel rows of the set are
// missing, and the next launch continues. For device code.
#pragma once

#include "numeric/svm/smo_arguments.cuh"
#include "numeric/svm/smo_candidate.cuh"
#include "numeric/svm/smo_set.cuh"

#include <math_constants.h>

#include <cstdint>

namespace duomap::gpu {

/// Device memory that the kernel needs beside its arguments.
struct smo_blocks_scratch {
  unsigned long long* offers;  ///< four of each part of each block
  unsigned parts;  ///< parts of a block, which make offers each: a power of 2, at most smo_most_parts
  unsigned long long round;  ///< the number of rounds before this launch
  float* between;            ///< kernel values of the set
  std::uint32_t* taken;      ///< the last round that took each point anew; 0 before the first launch
  std::uint32_t* kept;       ///< points that were new in the last round of the launch before, or smo_no_index
  std::uint32_t* members;    ///< out: the set, when rows are missing
  smo_changes changes;
  unsigned long long* steps;  ///< 0 at launch
  smo_set_limits limits;
};

inline constexpr unsigned smo_blocks_threads = 512;
inline constexpr unsigned smo_most_parts = smo_blocks_threads / 32;
inline constexpr unsigned smo_most_offers = 256;

namespace detail {

/// A key and its point in one number. Of equal keys, the point with the smaller index has the larger number.
__device__ inline unsigned long long offer_of(std::uint32_t key, std::uint32_t index) {
  return key == 0 ? 0 : static_cast<unsigned long long>(key) << 32 | ~index;
}
__device__ inline std::uint32_t point_of(unsigned long long offer) {
  return ~static_cast<std::uint32_t>(offer);
}

}  // namespace detail

/// The kernel for sets of `Set` points. All blocks must run at once. In all they have at most smo_most_offers
/// parts, and at least Set / 4 (fewer parts make sets smaller). With InShared, the set's kernel values are in
/// dynamic shared memory. Otherwise they stay in device memory, where all blocks have put them.
template <unsigned Set, bool InShared>
__global__ void __launch_bounds__(smo_blocks_threads, 1)
    smo_blocks_kernel(const __grid_constant__ smo_arguments a,
                      const __grid_constant__ smo_blocks_scratch scratch) {
  constexpr unsigned warps = smo_blocks_threads / 32;
  extern __shared__ float set_between[];
  __shared__ smo_set_state<Set> state;
  __shared__ std::uint32_t chosen[Set];   // kept points, then new ones to move up, then new ones down
  __shared__ std::uint32_t members[Set];  // the points of `chosen`, ascending
  // Four offers of each part of the block: the best of all points that may move up, the best that may move
  // down, and the same two among the points that were not new last time.
  __shared__ unsigned long long best[4 * smo_most_parts];
  __shared__ unsigned long long offers[2 * smo_most_offers];  // of all parts: points not new last time
  __shared__ std::uint32_t changed[Set];                      // kernel rows of the changed points
  __shared__ double change[Set];
  const unsigned t = threadIdx.x;
  const unsigned lane = t % 32;
  const unsigned blocks = gridDim.x;
  const unsigned parts = blocks * scratch.parts;
  const unsigned part = t / 32 * scratch.parts / warps;
  grid_barrier barrier(a.arrived);
  const auto slot_of = [&](std::uint32_t point) {
    return a.slot_of == nullptr ? point : a.slot_of[point];
  };
  // Points are dealt out 32 at a time, so that neighbours spread over all blocks.
  const auto for_own = [&](const auto& visit) {
    for (std::uint64_t tile = blockIdx.x + std::uint64_t{blocks} * (t / 32); tile * 32 < a.count;
         tile += std::uint64_t{blocks} * warps) {
      visit(static_cast<std::uint32_t>(tile * 32 + lane));
    }
  };
  if (t >= Set / 2 && t < Set) chosen[t] = scratch.kept[t - Set / 2];
  unsigned long long round = scratch.round;
  bool lacks_rows = false;
  double gap = 0;
  double origin = 0;  // near the f of violating points: keys are float32 of f - origin
  unsigned changes = 0;
  for (;; ++round) {
    if (t < 4 * scratch.parts) best[t] = 0;
    __syncthreads();
    std::uint32_t keys[4] = {};
    std::uint32_t points[4] = {};
    for_own([&](std::uint32_t i) {
      if (i >= a.count) return;
      double f = a.f[i];
      if (changes > 0) {
        const float* const column = a.kernel + i;
        double sum = 0;
#pragma unroll 8
        for (unsigned k = 0; k < changes; ++k) {
          sum += change[k] * static_cast<double>(column[changed[k] * a.stride]);
        }
        f += sum;
        a.f[i] = f;
      }
      const double alpha = a.alpha[i];
      const bool positive = a.labels[i] > 0;
      const bool has_room = alpha < (positive ? a.positive_c : a.negative_c);
      const bool may_rise = positive ? has_room : alpha > 0;
      const bool may_fall = positive ? alpha > 0 : has_room;
      const bool fresh = round == 0 || scratch.taken[i] != round;
      const auto offer = [&](unsigned kind, std::uint32_t key) {
        if (key > keys[kind]) {
          keys[kind] = key;
          points[kind] = i;
        }
      };
      if (may_rise) {
        offer(0, falling_key(static_cast<float>(f - origin)));
        if (fresh) offer(2, falling_key(static_cast<float>(f - origin)));
      }
      if (may_fall) {
        offer(1, rising_key(static_cast<float>(f - origin)));
        if (fresh) offer(3, rising_key(static_cast<float>(f - origin)));
      }
    });
#pragma unroll
    for (unsigned kind = 0; kind < 4; ++kind) {
      std::uint32_t largest = 0;
      if (lane_of_largest(keys[kind], largest) == lane)
        atomicMax(&best[kind * scratch.parts + part], detail::offer_of(keys[kind], points[kind]));
    }
    __syncthreads();
    if (t < 4 * scratch.parts)
      scratch.offers[t / scratch.parts * parts + blockIdx.x * scratch.parts + t % scratch.parts] = best[t];
    barrier.wait();

    // Every block computes the same set from all offers.
    if (t < 2) best[t] = 0;
    __syncthreads();
    for (unsigned b = t; b < 2 * parts; b += smo_blocks_threads)
      atomicMax(&best[b / parts], scratch.offers[b]);
    for (unsigned b = t; b < 2 * parts; b += smo_blocks_threads) offers[b] = scratch.offers[2 * parts + b];
    std::uint32_t kept = smo_no_index;
    if (t < Set / 2) kept = chosen[Set / 2 + t];
    __syncthreads();
    if (best[0] == 0 || best[1] == 0) {
      gap = 0;
      break;
    }
    gap = a.f[detail::point_of(best[1])] - a.f[detail::point_of(best[0])];
    if (!smo_improves(gap, a.tolerance) || *scratch.steps >= a.max_iterations) break;
    origin = a.f[detail::point_of(best[0])] + gap / 2;
    if (t < Set / 2) chosen[t] = kept;
    if (t >= Set / 2 && t < Set) chosen[t] = smo_no_index;
    __syncthreads();
    for (unsigned b = t; b < 2 * parts; b += smo_blocks_threads) {
      const unsigned kind = b / parts;
      const unsigned long long* const all = offers + kind * parts;
      const unsigned long long mine = all[b % parts];
      if (mine == 0) continue;
      unsigned rank = 0;
#pragma unroll 8
      for (unsigned other = 0; other < parts; ++other) rank += all[other] > mine ? 1 : 0;
      if (rank < Set / 4) chosen[Set / 2 + kind * (Set / 4) + rank] = detail::point_of(mine);
    }
    __syncthreads();
    // A point that may move both ways counts as moving up.
    if (t >= 3 * Set / 4 && t < Set) {
      bool twice = false;
#pragma unroll 8
      for (unsigned up = Set / 2; up < 3 * Set / 4; ++up) twice |= chosen[up] == chosen[t];
      if (twice) chosen[t] = smo_no_index;
    }
    __syncthreads();
    // Sorts, so that of equal points the first wins, as in a choice among all points.
    if (t < Set) {
      const std::uint32_t mine = chosen[t];
      unsigned before = 0;
#pragma unroll 8
      for (unsigned other = 0; other < Set; ++other) {
        before += chosen[other] < mine ? 1 : 0;
        before += (chosen[other] == mine) & (other < t) ? 1 : 0;
      }
      members[before] = mine;
    }
    lacks_rows =
        __syncthreads_or(static_cast<int>(t < Set && a.slot_of != nullptr && chosen[t] != smo_no_index &&
                                          a.slot_of[chosen[t]] == smo_no_index)) != 0;
    if (lacks_rows) break;
    if (blockIdx.x == 0 && t >= Set / 2 && t < Set && chosen[t] != smo_no_index)
      scratch.taken[chosen[t]] = static_cast<std::uint32_t>(round + 1);
    for (unsigned cell = blockIdx.x * smo_blocks_threads + t; cell < Set * Set;
         cell += blocks * smo_blocks_threads) {
      const std::uint32_t row = members[cell / Set];
      const std::uint32_t column = members[cell % Set];
      scratch.between[cell] =
          row == smo_no_index || column == smo_no_index ? 0 : a.kernel[slot_of(row) * a.stride + column];
    }
    barrier.wait();
    if (blockIdx.x == 0) {
      if constexpr (InShared) {
        for (unsigned cell = t; cell < Set * Set; cell += smo_blocks_threads)
          set_between[cell] = scratch.between[cell];
        __syncthreads();
      }
      if (t < Set) {
        const unsigned steps = solve_set<Set>(a, members, origin, InShared ? set_between : scratch.between,
                                              scratch.limits, scratch.changes, state);
        if (t == 0) *scratch.steps += steps;
      }
    }
    barrier.wait();
    changes = *scratch.changes.count;
    // With NaN or infinite kernel values, there may be no step that changes anything.
    if (changes == 0) {
      gap = CUDART_NAN;
      break;
    }
    for (unsigned k = t; k < changes; k += smo_blocks_threads) {
      changed[k] = slot_of(scratch.changes.points[k]);
      change[k] = scratch.changes.weights[k];
    }
  }
  if (blockIdx.x != 0) return;
  if (t < Set / 2) scratch.kept[t] = chosen[lacks_rows ? t : Set / 2 + t];
  if (lacks_rows && t < Set) scratch.members[t] = members[t];
  if (t == 0) *a.outcome = {*scratch.steps, round - scratch.round, gap, lacks_rows};
}

}  // namespace duomap::gpu
