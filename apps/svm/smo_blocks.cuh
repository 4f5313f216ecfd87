// SMO with working sets, as one resident kernel: every block offers the points that violate most among its
// own, one block solves the set of the best and of those it took last time, and all apply what has changed.
// For device code.
#pragma once

#include "apps/svm/smo_arguments.cuh"
#include "apps/svm/smo_candidate.cuh"

#include <cstdint>

namespace duomap::gpu {

/// What the kernel needs beside its arguments, in device memory.
struct smo_blocks_scratch {
  unsigned long long* offers;  ///< 4 for each block
  float* between;              ///< kernel values of the set, Set * Set
  std::uint32_t* taken;        ///< for each point the last round that took it anew; 0 at the launch
  std::uint32_t* changed;      ///< of the set: points whose multiplier has changed,
  double* change;              ///< and by how much, times y
  unsigned* changes;           ///< how many
  unsigned long long* steps;   ///< 0 at the launch
  double part_of_gap;          ///< a set is solved until its gap has shrunk to this part
  unsigned most_steps;         ///< or after so many steps
};

inline constexpr unsigned smo_blocks_threads = 512;

template <unsigned Set>
inline constexpr bool smo_set_in_shared = Set* Set * sizeof(float) <= 160 * 1024;
template <unsigned Set>
inline constexpr unsigned smo_set_shared_bytes = smo_set_in_shared<Set> ? Set* Set * sizeof(float) : 0;

namespace impl {

__device__ inline unsigned long long offer_of(std::uint32_t key, std::uint32_t index) {
  return key == 0 ? 0 : static_cast<unsigned long long>(key) << 32 | ~index;
}
__device__ inline std::uint32_t point_of(unsigned long long offer) {
  return ~static_cast<std::uint32_t>(offer);
}

template <unsigned Threads>
__device__ void wait_for_solvers() {
  asm volatile("bar.sync 1, %0;" ::"n"(Threads) : "memory");
}

/// The best key of `Set` threads, and whose it is.
template <unsigned Set>
__device__ unsigned best_of_set(std::uint32_t key, unsigned long long* from_warp, std::uint32_t& largest) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned in_warp = lane_of_largest(key, largest);
  if (lane == 0) from_warp[threadIdx.x / 32] = offer_of(largest, threadIdx.x + in_warp);
  wait_for_solvers<Set>();
  const unsigned long long offer = lane < Set / 32 ? from_warp[lane] : 0;
  const unsigned warp = lane_of_largest(static_cast<std::uint32_t>(offer >> 32), largest);
  return ~__shfl_sync(0xffffffffu, static_cast<std::uint32_t>(offer), static_cast<int>(warp));
}

/// Solves the set; each of its `Set` threads has a point, or none. Returns the steps.
template <unsigned Set>
__device__ unsigned solve_set(const smo_arguments& a, const smo_blocks_scratch& scratch, bool there,
                              std::uint32_t point, const float* between) {
  __shared__ unsigned long long from_warp[3][Set / 32];
  __shared__ double room[2][Set];
  __shared__ float value_of[Set];
  __shared__ float diagonal_of[Set];
  const unsigned t = threadIdx.x;
  const bool positive = there && a.labels[point] > 0;
  const double most = !there ? 0 : positive ? a.positive_c : a.negative_c;
  const double before = there ? a.alpha[point] : 0;
  double alpha = before;
  const double f0 = there ? a.f[point] : 0;
  const float diagonal = there ? a.diagonal[point] : 0;
  // Values are differences from one of them, so that floats do.
  __shared__ double origin;
  if (t == 0) origin = f0;
  diagonal_of[t] = diagonal;
  wait_for_solvers<Set>();
  float f = static_cast<float>(f0 - origin);
  double room_up = positive ? most - alpha : alpha;
  double room_down = positive ? alpha : most - alpha;
  float limit = 0;
  unsigned step_count = 0;
  for (;; ++step_count) {
    value_of[t] = f;
    room[0][t] = room_up;
    room[1][t] = room_down;
    // The largest f that may come down only ends the loop: with the pair's first point in one barrier.
    std::uint32_t up_key = 0;
    std::uint32_t down_key = 0;
    const unsigned lane = t % 32;
    {
      const unsigned in_warp = lane_of_largest(room_up > 0 ? falling_key(f) : 0, up_key);
      if (lane == 0) from_warp[0][t / 32] = offer_of(up_key, t + in_warp);
      static_cast<void>(lane_of_largest(room_down > 0 ? rising_key(f) : 0, down_key));
      if (lane == 0) from_warp[1][t / 32] = offer_of(down_key, 0);
    }
    wait_for_solvers<Set>();
    const unsigned long long offer = lane < Set / 32 ? from_warp[0][lane] : 0;
    const unsigned warp = lane_of_largest(static_cast<std::uint32_t>(offer >> 32), up_key);
    const unsigned up = ~__shfl_sync(0xffffffffu, static_cast<std::uint32_t>(offer), static_cast<int>(warp));
    const unsigned long long down_offer = lane < Set / 32 ? from_warp[1][lane] : 0;
    static_cast<void>(lane_of_largest(static_cast<std::uint32_t>(down_offer >> 32), down_key));
    if (up_key == 0 || down_key == 0) break;
    const float up_value = value_of[up];
    const float down_most =
        __uint_as_float((down_key & 0x80000000u) != 0 ? down_key & 0x7fffffffu : ~down_key);
    const float gap = down_most - up_value;
    if (step_count == 0) {
      limit = fmaxf(static_cast<float>(scratch.part_of_gap) * gap, 0.5f * static_cast<float>(a.epsilon));
    }
    if (gap < limit || step_count >= scratch.most_steps) break;

    const float up_kernel = between[up * Set + t];
    const float curvature = diagonal_of[up] + diagonal - 2 * up_kernel;
    const float distance = f - up_value;
    const bool gains = room_down > 0 && distance > 0;
    std::uint32_t key = 0;
    const unsigned down = best_of_set<Set>(
        gains ? rising_key(__fdividef(distance * distance, fmaxf(curvature, least_curvature))) : 0,
        from_warp[2], key);
    if (key == 0) break;
    const float down_kernel = between[down * Set + t];
    const float pair_curvature = diagonal_of[up] + diagonal_of[down] - 2 * between[up * Set + down];
    const double up_room = room[0][up];
    const double down_room = room[1][down];
    const double step = smo_step(up_value, value_of[down], pair_curvature, up_room, down_room);
    f += static_cast<float>(step) * (up_kernel - down_kernel);
    if (t == up || t == down) {
      const bool rises = (t == up) == positive;
      const double to_bound = t == up ? up_room : down_room;
      alpha = step < to_bound ? alpha + (rises ? step : -step) : (rises ? most : 0);
      room_up = positive ? most - alpha : alpha;
      room_down = positive ? alpha : most - alpha;
    }
    wait_for_solvers<Set>();
  }

  // What has changed, one behind the other.
  __shared__ unsigned found;
  if (t == 0) found = 0;
  wait_for_solvers<Set>();
  if (alpha != before) {
    const unsigned at = atomicAdd(&found, 1u);
    scratch.changed[at] = point;
    scratch.change[at] = positive ? alpha - before : before - alpha;
    a.alpha[point] = alpha;
  }
  wait_for_solvers<Set>();
  if (t == 0) *scratch.changes = found;
  return step_count;
}

}  // namespace impl

/// At least Set / 4 blocks, which all run at once.
template <unsigned Set>
__global__ void __launch_bounds__(smo_blocks_threads, 1)
    smo_blocks_kernel(const __grid_constant__ smo_arguments a,
                      const __grid_constant__ smo_blocks_scratch scratch) {
  static_assert(Set % 128 == 0 || Set == 192);
  constexpr unsigned warps = smo_blocks_threads / 32;
  constexpr std::uint32_t nobody = 0xffffffffu;
  extern __shared__ float set_between[];
  __shared__ std::uint32_t members[Set];  // kept ones, then new ones to move up, then down
  __shared__ unsigned long long best[4];  // all that may move up, down; those not taken last time
  __shared__ std::uint32_t changed[Set];
  __shared__ double change[Set];
  const unsigned t = threadIdx.x;
  const unsigned lane = t % 32;
  const unsigned blocks = gridDim.x;
  grid_barrier barrier(a.arrived);
  // Points are dealt out 32 at a time, so that neighbours are not all in one block's care.
  const auto for_own = [&](const auto& visit) {
    for (std::uint64_t tile = blockIdx.x + std::uint64_t{blocks} * (t / 32); tile * 32 < a.count;
         tile += std::uint64_t{blocks} * warps) {
      visit(static_cast<std::uint32_t>(tile * 32 + lane));
    }
  };
  if (t < Set) members[t] = nobody;
  unsigned long long round = 0;
  double gap = 0;
  double origin = 0;  // keys are float32: of differences, which are small where it matters
  unsigned changes = 0;
  for (;; ++round) {
    if (t < 4) best[t] = 0;
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
        atomicMax(&best[kind], impl::offer_of(keys[kind], points[kind]));
    }
    __syncthreads();
    if (t < 4) scratch.offers[t * blocks + blockIdx.x] = best[t];
    barrier.wait();

    // Every block finds the same set.
    if (t < 2) best[t] = 0;
    __syncthreads();
    for (unsigned b = t; b < 2 * blocks; b += smo_blocks_threads)
      atomicMax(&best[b / blocks], scratch.offers[b]);
    std::uint32_t kept = nobody;
    if (t < Set / 2) kept = members[Set / 2 + t];
    __syncthreads();
    if (best[0] == 0 || best[1] == 0) {
      gap = 0;
      break;
    }
    gap = a.f[impl::point_of(best[1])] - a.f[impl::point_of(best[0])];
    if (gap < a.epsilon || *scratch.steps >= a.most_iterations) break;
    origin = a.f[impl::point_of(best[0])] + gap / 2;
    if (t < Set / 2) members[t] = kept;
    if (t >= Set / 2 && t < Set) members[t] = nobody;
    __syncthreads();
    for (unsigned b = t; b < 2 * blocks; b += smo_blocks_threads) {
      const unsigned kind = b / blocks;
      const unsigned long long* const all = scratch.offers + (2 + kind) * blocks;
      const unsigned long long mine = all[b % blocks];
      // One that may go both ways counts as going up.
      if (mine == 0) continue;
      unsigned rank = 0;
      for (unsigned other = 0; other < blocks; ++other) rank += all[other] > mine;
      if (rank < Set / 4) members[Set / 2 + kind * (Set / 4) + rank] = impl::point_of(mine);
    }
    __syncthreads();
    if (t >= 3 * Set / 4 && t < Set) {
      for (unsigned up = Set / 2; up < 3 * Set / 4; ++up) {
        if (members[up] == members[t]) {
          members[t] = nobody;
          break;
        }
      }
    }
    __syncthreads();
    if (t < Set && blockIdx.x == 0 && t >= Set / 2 && members[t] != nobody)
      scratch.taken[members[t]] = static_cast<std::uint32_t>(round + 1);
    for (unsigned cell = blockIdx.x * smo_blocks_threads + t; cell < Set * Set;
         cell += blocks * smo_blocks_threads) {
      const std::uint32_t row = members[cell / Set];
      const std::uint32_t column = members[cell % Set];
      scratch.between[cell] = row == nobody || column == nobody ? 0 : a.kernel[row * a.stride + column];
    }
    barrier.wait();
    if (blockIdx.x == 0) {
      if constexpr (smo_set_in_shared<Set>) {
        for (unsigned cell = t; cell < Set * Set; cell += smo_blocks_threads)
          set_between[cell] = scratch.between[cell];
        __syncthreads();
      }
      if (t < Set) {
        const std::uint32_t point = members[t];
        const unsigned steps = impl::solve_set<Set>(a, scratch, point != nobody, point,
                                                    smo_set_in_shared<Set> ? set_between : scratch.between);
        if (t == 0) *scratch.steps += steps;
      }
    }
    barrier.wait();
    changes = *scratch.changes;
    for (unsigned k = t; k < changes; k += smo_blocks_threads) {
      changed[k] = scratch.changed[k];
      change[k] = scratch.change[k];
    }
  }
  if (blockIdx.x == 0 && t == 0) *a.outcome = {*scratch.steps, round, gap};
}

}  // namespace duomap::gpu
