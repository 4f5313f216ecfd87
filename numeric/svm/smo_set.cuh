// Solves the support vector problem of a working set's rows alone. For device code.
#pragma once

#include "numeric/svm/smo_arguments.cuh"
#include "numeric/svm/smo_candidate.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The multipliers that changed in a round, in device memory.
struct smo_changes {
  std::uint32_t* points;
  double* weights;  ///< growth of the multipliers, times y
  unsigned* count;
};

/// The conditions that end the solution of a set.
struct smo_set_limits {
  double part_of_gap;   ///< ends when the gap has shrunk to this part,
  unsigned most_steps;  ///< or after this number of steps
};

/// The points of a set in shared memory. Arrays that change in a step exist twice, so that threads read one
/// copy while they write the other.
template <unsigned Set>
struct smo_set_state {
  float f[2][Set];
  double room_up[2][Set];
  double room_down[2][Set];
  float diagonal[Set];
  int first_of_warp[2][Set / 32];  ///< keys of the point to move up, and of the largest f that may move down
  int second_of_warp[Set / 32];
  unsigned changed_of_warp[Set / 32];
};

namespace detail {

/// Maps the bits of a float to a signed integer, so that integers compare as the floats do. The same map
/// leads back from the integer to the bits.
__device__ inline int signed_key(int bits) { return bits ^ ((bits >> 31) & 0x7fffffff); }
__device__ inline int signed_key(float x) { return signed_key(__float_as_int(x)); }

inline constexpr int no_key = static_cast<int>(0x80000000u);

// The lowest 8 bits of a key name its point, so that one reduction finds the largest key and its point. If
// keys agree to 15 bits, the first point wins.
__device__ inline int with_slot(int key, unsigned slot) {
  return (key & ~255) | static_cast<int>(255 - slot);
}
__device__ inline unsigned slot_of(int key) { return 255u - (static_cast<unsigned>(key) & 255u); }

}  // namespace detail

/// Takes steps of two multipliers among `members` until `limits`. Second order chooses each pair. Members
/// ascend, with smo_no_index behind the last. Writes the multipliers and the changes, and returns the number
/// of steps. `between`: the members' kernel matrix. The first `Set` threads of a block call this, one for
/// each member.
template <unsigned Set>
__device__ unsigned solve_set(const smo_arguments& a, const std::uint32_t* members, double origin,
                              const float* between, const smo_set_limits& limits, const smo_changes& changes,
                              smo_set_state<Set>& state) {
  static_assert(Set <= 256 && Set % 32 == 0);
  constexpr unsigned warps = Set / 32;
  const unsigned t = threadIdx.x;
  const unsigned lane = t % 32;
  const unsigned warp = t / 32;
  const auto wait = [] {
    __barrier_sync_count(1, Set);
  };
  const std::uint32_t point = members[t];
  const bool there = point != smo_no_index;
  const bool positive = there && a.labels[point] > 0;
  const double most = !there ? 0 : positive ? a.positive_c : a.negative_c;
  const double before = there ? a.alpha[point] : 0;
  const float diagonal = there ? a.diagonal[point] : 0;
  // Subtracts `origin`, a value between the f of the points that violate the optimum, so that float32 keeps
  // the digits that matter.
  float f = there ? static_cast<float>(a.f[point] - origin) : 0;
  double alpha = before;
  double room_up = positive ? most - alpha : alpha;  // how far alpha y may grow
  double room_down = positive ? alpha : most - alpha;
  state.diagonal[t] = diagonal;
  float limit = 0;
  unsigned steps = 0;
  for (;; ++steps) {
    const unsigned now = steps % 2;
    state.f[now][t] = f;
    state.room_up[now][t] = room_up;
    state.room_down[now][t] = room_down;
    const int up_of_warp =
        largest_of_warp(room_up > 0 ? detail::with_slot(detail::signed_key(-f), t) : detail::no_key);
    const int down_of_warp = largest_of_warp(room_down > 0 ? detail::signed_key(f) : detail::no_key);
    if (lane == 0) {
      state.first_of_warp[0][warp] = up_of_warp;
      state.first_of_warp[1][warp] = down_of_warp;
    }
    wait();
    int up_key = detail::no_key;
    int down_key = detail::no_key;
#pragma unroll
    for (unsigned w = 0; w < warps; ++w) {
      up_key = max(up_key, state.first_of_warp[0][w]);
      down_key = max(down_key, state.first_of_warp[1][w]);
    }
    if (up_key == detail::no_key || down_key == detail::no_key) break;
    const unsigned up = detail::slot_of(up_key);
    const float* const up_row = between + up * Set;
    const float up_kernel = up_row[t];
    const float up_value = state.f[now][up];
    const float up_diagonal = state.diagonal[up];
    const double up_room = state.room_up[now][up];
    const float gap = __int_as_float(detail::signed_key(down_key)) - up_value;
    if (steps == 0) {
      limit = fmaxf(static_cast<float>(limits.part_of_gap) * gap, 0.5f * static_cast<float>(a.tolerance));
    }
    if (!(gap >= limit) || steps >= limits.most_steps) break;

    const float distance = f - up_value;
    const float gain =
        __fdividef(distance * distance, fmaxf(up_diagonal + diagonal - 2 * up_kernel, least_curvature));
    const bool gains = room_down > 0 && distance > 0;
    const int gain_of_warp =
        largest_of_warp(gains ? detail::with_slot(__float_as_int(gain), t) : detail::no_key);
    if (lane == 0) state.second_of_warp[warp] = gain_of_warp;
    wait();
    int gain_key = detail::no_key;
#pragma unroll
    for (unsigned w = 0; w < warps; ++w) gain_key = max(gain_key, state.second_of_warp[w]);
    if (gain_key == detail::no_key) break;
    const unsigned down = detail::slot_of(gain_key);
    const float down_kernel = between[down * Set + t];
    const float curvature = fmaxf(up_diagonal + state.diagonal[down] - 2 * up_row[down], least_curvature);
    const double down_room = state.room_down[now][down];
    const auto free_step = static_cast<double>(__fdividef(state.f[now][down] - up_value, curvature));
    const double step = fmin(free_step, fmin(up_room, down_room));
    f += static_cast<float>(step) * (up_kernel - down_kernel);
    if (t == up || t == down) {
      const bool grows = (t == up) == positive;
      const double to_bound = t == up ? up_room : down_room;
      // Multipliers reach their bounds exactly.
      alpha = step < to_bound ? (grows ? alpha + step : alpha - step) : (grows ? most : 0);
      room_up = positive ? most - alpha : alpha;
      room_down = positive ? alpha : most - alpha;
    }
  }

  // Writes the changed multipliers without gaps, in the members' order.
  const bool changed = alpha != before;
  const unsigned votes = __ballot_sync(0xffffffffu, changed);
  if (lane == 0) state.changed_of_warp[warp] = static_cast<unsigned>(__popc(votes));
  wait();
  unsigned at = static_cast<unsigned>(__popc(votes & ((1u << lane) - 1)));
  unsigned count = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w < warp) at += state.changed_of_warp[w];
    count += state.changed_of_warp[w];
  }
  if (changed) {
    changes.points[at] = point;
    changes.weights[at] = positive ? alpha - before : before - alpha;
    a.alpha[point] = alpha;
  }
  if (t == 0) *changes.count = count;
  return steps;
}

}  // namespace duomap::gpu
