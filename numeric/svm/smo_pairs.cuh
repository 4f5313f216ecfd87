// Runs SMO with two multipliers in each step as one resident kernel. The map updates f of every point and
// offers a point, two reductions find the pair, and every thread finishes the step for its own points. For
// device code.
#pragma once

#include "numeric/svm/smo_arguments.cuh"
#include "numeric/svm/smo_candidate.cuh"

#include <cstdint>

namespace duomap::gpu {

inline constexpr unsigned smo_threads = 512;

template <unsigned Points>
struct alignas(Points >= 4 ? 16 : Points * 4) smo_row_part {
  float of[Points];
};

/// The kernel. Each thread keeps `Points` points in registers. All blocks must run at once, and all kernel
/// rows must be in memory.
template <bool SecondOrder, unsigned Points>
__global__ void __launch_bounds__(smo_threads, 1) smo_pairs_kernel(const __grid_constant__ smo_arguments a) {
  using exchange_type = grid_exchange<smo_threads / 32>;
  __shared__ typename exchange_type::shared_part shared;
  exchange_type exchange(shared, a.slots, a.arrived);
  const std::uint32_t first = (blockIdx.x * smo_threads + threadIdx.x) * Points;

  double f[Points] = {};
  double alpha[Points] = {};
  double room_up[Points] = {};  // how far alpha y may grow
  double room_down[Points] = {};
  double most[Points] = {};
  bool positive[Points] = {};
  float diagonal[Points] = {};
  const auto set_rooms = [&](unsigned p) {
    room_up[p] = positive[p] ? most[p] - alpha[p] : alpha[p];
    room_down[p] = positive[p] ? alpha[p] : most[p] - alpha[p];
  };
#pragma unroll
  for (unsigned p = 0; p < Points; ++p) {
    const std::uint32_t i = first + p;
    const bool there = i < a.count;
    positive[p] = there && a.labels[i] > 0;
    most[p] = !there ? 0 : positive[p] ? a.positive_c : a.negative_c;
    alpha[p] = there ? a.alpha[i] : 0;
    f[p] = there ? a.f[i] : 0;
    diagonal[p] = there ? a.diagonal[i] : 0;
    set_rooms(p);
  }
  const auto row_part = [&](std::uint32_t row) {
    // Points behind the last lie within the stride, so reading them is safe. A thread without points reads
    // none.
    smo_row_part<Points> part{};
    if (first < a.count) {
      part = *reinterpret_cast<const smo_row_part<Points>*>(a.kernel + row * a.stride + first);
    }
    return part;
  };

  unsigned long long iteration = 0;
  double gap = 0;
  // A value near the f of violating points. Keys are float32 of f - origin, so they keep the digits.
  double origin = 0;
  for (;; ++iteration) {
    smo_candidate best[2] = {};
#pragma unroll
    for (unsigned p = 0; p < Points; ++p) {
      const float value = static_cast<float>(f[p] - origin);
      if (room_up[p] > 0 && falling_key(value) > best[0].key) {
        best[0] = {falling_key(value), first + p, f[p], room_up[p], diagonal[p]};
      }
      if (room_down[p] > 0 && rising_key(value) > best[1].key) {
        best[1] = {rising_key(value), first + p, f[p], room_down[p], diagonal[p]};
      }
    }
    exchange.reduce(best);
    if (best[0].key == 0 || best[1].key == 0) {
      gap = 0;
      break;
    }
    gap = best[1].value - best[0].value;
    if (!smo_improves(gap, a.tolerance) || iteration >= a.max_iterations) break;

    origin = best[0].value + gap / 2;

    const smo_candidate up = best[0];
    const smo_row_part<Points> up_row = row_part(up.index);
    smo_candidate down;
    smo_row_part<Points> down_row;
    if constexpr (SecondOrder) {
      smo_candidate gains[1] = {};
#pragma unroll
      for (unsigned p = 0; p < Points; ++p) {
        const float distance = static_cast<float>(f[p] - up.value);
        if (room_down[p] > 0 && distance > 0) {
          const float curvature = up.curvature + diagonal[p] - 2 * up_row.of[p];
          const std::uint32_t key =
              rising_key(__fdividef(distance * distance, fmaxf(curvature, least_curvature)));
          if (key > gains[0].key) gains[0] = {key, first + p, f[p], room_down[p], curvature};
        }
      }
      exchange.reduce(gains);
      down = gains[0];
      down_row = row_part(down.index);
    } else {
      down = best[1];
      down_row = row_part(down.index);
      down.curvature += up.curvature - 2 * a.kernel[up.index * a.stride + down.index];
    }
    const double step = smo_step(up.value, down.value, down.curvature, up.room, down.room);
#pragma unroll
    for (unsigned p = 0; p < Points; ++p) {
      f[p] += step * (static_cast<double>(up_row.of[p]) - static_cast<double>(down_row.of[p]));
      if (first + p == up.index) {
        // Multipliers reach their bounds exactly.
        alpha[p] = step < up.room ? alpha[p] + (positive[p] ? step : -step) : (positive[p] ? most[p] : 0);
        set_rooms(p);
      }
      if (first + p == down.index) {
        alpha[p] = step < down.room ? alpha[p] - (positive[p] ? step : -step) : (positive[p] ? 0 : most[p]);
        set_rooms(p);
      }
    }
  }
#pragma unroll
  for (unsigned p = 0; p < Points; ++p) {
    if (first + p < a.count) {
      a.alpha[first + p] = alpha[p];
      a.f[first + p] = f[p];
    }
  }
  if (first == 0) *a.outcome = {iteration, iteration, gap, false};
}

}  // namespace duomap::gpu
