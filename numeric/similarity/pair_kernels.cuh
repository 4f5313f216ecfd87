// Chooses the pairs of a tile of products to keep, by kernels.
#pragma once

#include "gpu/runtime/warp.cuh"
#include "numeric/similarity/cyclic_pairs.hpp"
#include "numeric/similarity/similar_pair.hpp"
#include "numeric/similarity/similar_rows.hpp"

#include <cstdint>

namespace duomap::gpu {

/// Products of `rows` rows from `first_row` on with `width` other rows from `first_other` on, row by row.
struct score_tile {
  const float* scores;
  std::uint64_t rows;
  std::uint64_t width;
  std::uint64_t first_row;
  std::uint64_t first_other;
};

/// Another row and its cosine. Empty places at the end of a list have the cosine -infinity.
struct scored_row {
  float cosine;
  std::uint32_t row;
};

inline constexpr unsigned pair_threads = 256;

namespace detail {

/// Calls use(there, other, cosine) for all other rows of a row, 32 lanes at once.
template <class Use>
__device__ void for_each_score(const score_tile& tile, std::uint64_t row, const Use& use) {
  // The number of loads under way at once. A warp that waited for each load would take 128 trips to memory
  // for a row of 4096.
  constexpr unsigned loads = 8;
  const float* const scores = tile.scores + row * tile.width;
  for (std::uint64_t begin = 0; begin < tile.width; begin += loads * 32) {
    float loaded[loads];
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) {
      const std::uint64_t column = begin + i * 32 + lane_index();
      loaded[i] = column < tile.width ? scores[column] : 0;
    }
#pragma unroll
    for (unsigned i = 0; i < loads; ++i) {
      const std::uint64_t column = begin + i * 32 + lane_index();
      use(column < tile.width, tile.first_other + column, clamp_cosine(loaded[i]));
    }
  }
}

}  // namespace detail

/// Appends pairs with a cosine of at least `threshold`. `found` also counts pairs that had no room.
__global__ void __launch_bounds__(pair_threads)
    keep_above(score_tile tile, cyclic_pairs band, float threshold, similar_pair* pairs, std::uint64_t room,
               unsigned long long* found) {
  const std::uint64_t row = std::uint64_t{blockIdx.x} * (pair_threads / 32) + threadIdx.x / 32;
  if (row >= tile.rows) return;
  const std::uint64_t self = tile.first_row + row;
  detail::for_each_score(tile, row, [&](bool there, std::uint64_t other, float cosine) {
    const bool keep = there && cosine >= threshold && band.meets(self, other);
    const unsigned keeping = __ballot_sync(all_lanes, keep);
    if (keeping == 0) return;
    unsigned long long before = 0;
    if (lane_index() == 0) before = atomicAdd(found, static_cast<unsigned long long>(__popc(keeping)));
    const std::uint64_t place = __shfl_sync(all_lanes, before, 0) + __popc(keeping & lanes_before());
    if (!keep || place >= room) return;
    pairs[place] = {static_cast<std::uint32_t>(self < other ? self : other),
                    static_cast<std::uint32_t>(self < other ? other : self), cosine};
  });
}

__global__ void __launch_bounds__(pair_threads) clear_best(scored_row* best, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * pair_threads + threadIdx.x;
  if (i < count) best[i] = {-__int_as_float(0x7f800000), 0};
}

/// Improves each row's list of the `most` best other rows, best first. `best` is the list of the tile's first
/// row. Tiles come in ascending order of `first_other`, so of equal cosines the smaller row number stays.
__global__ void __launch_bounds__(pair_threads)
    keep_best(score_tile tile, std::uint64_t most, scored_row* best) {
  const std::uint64_t row = std::uint64_t{blockIdx.x} * (pair_threads / 32) + threadIdx.x / 32;
  if (row >= tile.rows) return;
  const std::uint64_t self = tile.first_row + row;
  scored_row* const list = best + row * most;
  float last = list[most - 1].cosine;
  detail::for_each_score(tile, row, [&](bool there, std::uint64_t other, float cosine) {
    const auto is_better = [&] {
      return there && other != self && cosine > last;
    };
    unsigned better = __ballot_sync(all_lanes, is_better());
    while (better != 0) {
      const int lane = __ffs(static_cast<int>(better)) - 1;
      const float new_cosine = __shfl_sync(all_lanes, cosine, lane);
      std::uint64_t place = 0;
      for (std::uint64_t i = 0; i < most; i += 32) {
        const bool stays = i + lane_index() < most && list[i + lane_index()].cosine >= new_cosine;
        place += __popc(__ballot_sync(all_lanes, stays));
      }
      // Moves the places behind `place` by one, 32 at a time, from the end on.
      for (std::uint64_t i = (most - 1) / 32 * 32;; i -= 32) {
        const std::uint64_t to = i + lane_index();
        const bool moves = to > place && to < most;
        scored_row moved{};
        if (moves) moved = list[to - 1];
        __syncwarp();
        if (moves) list[to] = moved;
        __syncwarp();
        if (i <= place) break;
      }
      if (lane_index() == static_cast<unsigned>(lane))
        list[place] = {cosine, static_cast<std::uint32_t>(other)};
      __syncwarp();
      last = list[most - 1].cosine;
      better = __ballot_sync(all_lanes, lane_index() > static_cast<unsigned>(lane) && is_better());
    }
  });
}

}  // namespace duomap::gpu
