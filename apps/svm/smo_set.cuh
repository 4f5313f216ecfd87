// The solution of a working set's own problem, by one warp. For device code.
#pragma once

#include "apps/svm/smo_arguments.cuh"
#include "apps/svm/smo_candidate.cuh"

#include <cstdint>

namespace duomap::gpu {

/// No point.
inline constexpr std::uint32_t smo_nobody = 0xffffffffu;

/// What has changed in a round, in device memory.
struct smo_changes {
  std::uint32_t* points;
  double* weights;  ///< by how much the multipliers have grown, times y
  unsigned* count;
};

/// When a set is solved well enough.
struct smo_set_limits {
  double part_of_gap;   ///< its gap has shrunk to this part,
  unsigned most_steps;  ///< or it has taken so many steps
};

/// A set's points in shared memory.
template <unsigned Set>
struct smo_set_state {
  double alpha[Set];
  double most[Set];
  float f[Set];
  float diagonal[Set];
  bool positive[Set];
};

namespace impl {

/// The order of floats as signed integers; its own inverse.
__device__ inline int signed_key(int bits) { return bits ^ ((bits >> 31) & 0x7fffffff); }
__device__ inline int signed_key(float x) { return signed_key(__float_as_int(x)); }

inline constexpr int no_key = static_cast<int>(0x80000000u);

// A key's lowest 8 bits say which point it is of, so that one reduction finds both: of nearly equal ones (to
// 15 bits) the first.
__device__ inline int with_slot(int key, unsigned slot) {
  return (key & ~255) | static_cast<int>(255 - slot);
}
__device__ inline unsigned slot_of(int key) { return 255u - (static_cast<unsigned>(key) & 255u); }

}  // namespace impl

/// Steps of two multipliers among `members`, ascending with nobody behind the last, each chosen by second
/// order, until `limits`; writes multipliers, and what has changed. `between` is their kernel. Returns the
/// steps. For one warp: several, which have to wait for each other twice a step, take 0.8 us a step (H200).
template <unsigned PerLane>
__device__ unsigned solve_set(const smo_arguments& a, const std::uint32_t* members, const float* between,
                              const smo_set_limits& limits, const smo_changes& changes,
                              smo_set_state<32 * PerLane>& state) {
  constexpr unsigned set = 32 * PerLane;
  static_assert(set <= 256);
  const unsigned lane = threadIdx.x % 32;
  // Values are differences from one of them, so that floats do.
  const double origin = a.f[members[0]];
  float f[PerLane];
  float diagonal[PerLane];
  unsigned rises = 0;  // bit p: the multiplier of this lane's point p may move so that y alpha grows,
  unsigned falls = 0;  // or shrinks
#pragma unroll
  for (unsigned p = 0; p < PerLane; ++p) {
    const unsigned slot = p * 32 + lane;
    const std::uint32_t point = members[slot];
    const bool there = point != smo_nobody;
    const bool positive = there && a.labels[point] > 0;
    const double most = !there ? 0 : positive ? a.positive_c : a.negative_c;
    const double alpha = there ? a.alpha[point] : 0;
    f[p] = there ? static_cast<float>(a.f[point] - origin) : 0;
    diagonal[p] = there ? a.diagonal[point] : 0;
    state.alpha[slot] = alpha;
    state.most[slot] = most;
    state.f[slot] = f[p];
    state.diagonal[slot] = diagonal[p];
    state.positive[slot] = positive;
    rises |= static_cast<unsigned>(positive ? alpha < most : alpha > 0) << p;
    falls |= static_cast<unsigned>(positive ? alpha > 0 : alpha < most) << p;
  }
  __syncwarp();

  float limit = 0;
  unsigned steps = 0;
  for (;; ++steps) {
    int up_key = impl::no_key;
    int down_key = impl::no_key;
#pragma unroll
    for (unsigned p = 0; p < PerLane; ++p) {
      if ((rises >> p & 1) != 0)
        up_key = max(up_key, impl::with_slot(impl::signed_key(-f[p]), p * 32 + lane));
      if ((falls >> p & 1) != 0) down_key = max(down_key, impl::signed_key(f[p]));
    }
    up_key = largest_of_warp(up_key);
    down_key = largest_of_warp(down_key);
    if (up_key == impl::no_key || down_key == impl::no_key) break;
    const unsigned up = impl::slot_of(up_key);
    const float up_value = state.f[up];
    const double up_alpha = state.alpha[up];
    const double up_most = state.most[up];
    const bool up_positive = state.positive[up];
    const float up_diagonal = state.diagonal[up];
    const float gap = __int_as_float(impl::signed_key(down_key)) - up_value;
    if (steps == 0) {
      limit = fmaxf(static_cast<float>(limits.part_of_gap) * gap, 0.5f * static_cast<float>(a.epsilon));
    }
    if (gap < limit || steps >= limits.most_steps) break;

    const float* const up_row = between + up * set;
    float up_kernel[PerLane];
    int gain_key = impl::no_key;
#pragma unroll
    for (unsigned p = 0; p < PerLane; ++p) {
      up_kernel[p] = up_row[p * 32 + lane];
      const float curvature = fmaxf(up_diagonal + diagonal[p] - 2 * up_kernel[p], least_curvature);
      const float distance = f[p] - up_value;
      const float gain = __fdividef(distance * distance, curvature);
      if ((falls >> p & 1) != 0 && distance > 0)
        gain_key = max(gain_key, impl::with_slot(__float_as_int(gain), p * 32 + lane));
    }
    gain_key = largest_of_warp(gain_key);
    if (gain_key == impl::no_key) break;
    const unsigned down = impl::slot_of(gain_key);
    const float* const down_row = between + down * set;
    const float distance = state.f[down] - up_value;
    const float curvature = fmaxf(up_diagonal + state.diagonal[down] - 2 * up_row[down], least_curvature);
    const double down_alpha = state.alpha[down];
    const double down_most = state.most[down];
    const bool down_positive = state.positive[down];
    const double room_up = up_positive ? up_most - up_alpha : up_alpha;
    const double room_down = down_positive ? down_alpha : down_most - down_alpha;
    const double step = fmin(static_cast<double>(__fdividef(distance, curvature)), fmin(room_up, room_down));
    // Bounds are reached exactly.
    const double new_up =
        step < room_up ? (up_positive ? up_alpha + step : up_alpha - step) : (up_positive ? up_most : 0);
    const double new_down = step < room_down ? (down_positive ? down_alpha - step : down_alpha + step)
                                             : (down_positive ? 0 : down_most);
    __syncwarp();  // all have read
    const auto moved = [&](unsigned slot, double alpha, double most, bool positive) {
      if (lane != slot % 32) return;
      state.alpha[slot] = alpha;
      const unsigned bit = 1u << slot / 32;
      const bool below = alpha < most;
      const bool above = alpha > 0;
      rises = (positive ? below : above) ? rises | bit : rises & ~bit;
      falls = (positive ? above : below) ? falls | bit : falls & ~bit;
    };
    moved(up, new_up, up_most, up_positive);
    moved(down, new_down, down_most, down_positive);
    const auto by = static_cast<float>(step);
#pragma unroll
    for (unsigned p = 0; p < PerLane; ++p) {
      f[p] += by * (up_kernel[p] - down_row[p * 32 + lane]);
      state.f[p * 32 + lane] = f[p];
    }
    __syncwarp();
  }

  // What has changed, one behind the other.
  unsigned count = 0;
#pragma unroll
  for (unsigned p = 0; p < PerLane; ++p) {
    const unsigned slot = p * 32 + lane;
    const std::uint32_t point = members[slot];
    const double before = point != smo_nobody ? a.alpha[point] : 0;
    const double alpha = state.alpha[slot];
    const bool changed = alpha != before;
    const unsigned who = __ballot_sync(0xffffffffu, changed);
    if (changed) {
      const unsigned at = count + static_cast<unsigned>(__popc(who & ((1u << lane) - 1)));
      changes.points[at] = point;
      changes.weights[at] = state.positive[slot] ? alpha - before : before - alpha;
      a.alpha[point] = alpha;
    }
    count += static_cast<unsigned>(__popc(who));
  }
  if (lane == 0) *changes.count = count;
  return steps;
}

}  // namespace duomap::gpu
