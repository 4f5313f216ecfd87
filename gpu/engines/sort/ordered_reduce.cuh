// Reduces the values of each segment in their order, in parallel also within one segment.
#pragma once

#include "core/compact_key.hpp"
#include "core/reduce.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <cstring>

namespace duomap::gpu {

/// Segments of consecutive values to reduce; all memory is on the device.
template <reduction R>
struct segmented_values {
  using value_type = typename R::value_type;

  const value_type* values = nullptr;
  const std::uint32_t* segment_of = nullptr;  // each value's segment, from 1 without gaps; null: all 1
  std::uint32_t count = 0;
  keyed_entry<value_type>* entries = nullptr;  // output: one for each segment; the keys stay unchanged
  value_type* carries = nullptr;               // room for most_carries(count) values
  R reduce{};

  [[nodiscard]] __device__ std::uint32_t segment(std::uint64_t place) const {
    return segment_of == nullptr ? 0 : segment_of[place] - 1;
  }
};

inline constexpr unsigned reduce_threads = 256;
inline constexpr unsigned reduce_items = 8;
inline constexpr unsigned reduce_tile = reduce_threads * reduce_items;

[[nodiscard]] constexpr std::uint64_t most_carries(std::uint64_t count) {
  return (count + reduce_tile - 1) / reduce_tile;
}

namespace detail {

/// A stretch is a range of neighbouring places. Its value is the reduction of the places of its last segment,
/// or of all places if no segment begins in the stretch.
template <class V>
struct stretch {
  V value{};
  bool any = false;     ///< the value has at least one place
  bool begins = false;  ///< a segment begins in the stretch
};

/// Joins two neighbouring stretches, `a` before `b`.
template <reduction R>
[[nodiscard]] __device__ stretch<typename R::value_type> join(const stretch<typename R::value_type>& a,
                                                              const stretch<typename R::value_type>& b,
                                                              const R& reduce) {
  if (b.begins || !a.any) return {b.value, b.any, a.begins || b.begins};
  if (!b.any) return a;
  return {reduce(a.value, b.value), true, a.begins};
}

/// Applies shuffle(word) to each 32-bit word of an object.
template <class T, class Shuffle>
[[nodiscard]] __device__ T shuffle_words(const T& object, const Shuffle& shuffle) {
  constexpr unsigned count = (sizeof(T) + 3) / 4;
  std::uint32_t words[count] = {};
  memcpy(words, &object, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < count; ++i) words[i] = shuffle(words[i]);
  T result;
  memcpy(&result, words, sizeof(T));
  return result;
}

/// Joins the stretches of the calling lane and all lanes before it.
template <reduction R>
[[nodiscard]] __device__ stretch<typename R::value_type> join_up_to_lane(stretch<typename R::value_type> mine,
                                                                         const R& reduce) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const auto other = shuffle_words(mine, [&](std::uint32_t w) { return __shfl_up_sync(~0u, w, step); });
    if (lane >= step) mine = join(other, mine, reduce);
  }
  return mine;
}

/// Shared memory for one object of each warp; the objects may have constructors.
template <class T>
struct per_warp {
  alignas(T) unsigned char bytes[reduce_threads / 32][sizeof(T)];
  [[nodiscard]] __device__ T& operator[](unsigned warp) { return *reinterpret_cast<T*>(bytes[warp]); }
};

/// One block for each tile of places. A segment's entry gets the values of the tile in which the segment
/// begins. Its values in a later tile go to that tile's carry.
template <reduction R>
__global__ void __launch_bounds__(reduce_threads) reduce_tiles(const segmented_values<R> in) {
  using part = stretch<typename R::value_type>;
  __shared__ per_warp<part> warps;
  const std::uint64_t tile_begin = std::uint64_t{blockIdx.x} * reduce_tile;
  const std::uint64_t begin = tile_begin + threadIdx.x * reduce_items;
  const auto end = min(begin + reduce_items, std::uint64_t{in.count});

  // Each thread reduces its places in their order.
  part head;  // places before the first segment that begins in this thread's part
  part mine;
  std::uint32_t segment = begin == 0 || begin >= in.count ? 0 : in.segment(begin - 1);
  std::uint32_t head_segment = segment;
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint32_t next = in.segment(i);
    const part one{in.values[i], true, i == 0 || next != segment};
    if (one.begins) {
      if (mine.begins) {
        in.entries[segment].value = mine.value;
      } else {
        head = mine;
        head_segment = segment;
      }
    }
    mine = join(mine, one, in.reduce);
    segment = next;
  }

  // The reduced places of the tile before this thread's part.
  part up_to_mine = join_up_to_lane(mine, in.reduce);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  if (lane == 31) warps[warp] = up_to_mine;
  __syncthreads();
  part before;
  for (unsigned i = 0; i < warp; ++i) before = join(before, warps[i], in.reduce);
  const part last_lane = shuffle_words(up_to_mine, [](std::uint32_t w) { return __shfl_up_sync(~0u, w, 1); });
  up_to_mine = join(before, up_to_mine, in.reduce);
  if (lane > 0) before = join(before, last_lane, in.reduce);

  const auto put = [&](std::uint32_t to, const part& all) {
    if (!all.any) return;
    if (all.begins) {
      in.entries[to].value = all.value;
    } else {
      in.carries[blockIdx.x] = all.value;
    }
  };
  if (mine.begins) put(head_segment, join(before, head, in.reduce));
  if (threadIdx.x == reduce_threads - 1) {
    put(in.segment(min(tile_begin + reduce_tile, std::uint64_t{in.count}) - 1), up_to_mine);
  }
}

/// Whether a tile has a carry, that is, its first place continues the segment of the place before.
template <reduction R>
[[nodiscard]] __device__ bool has_carry(const segmented_values<R>& in, std::uint64_t tile) {
  return tile > 0 && in.segment(tile * reduce_tile) == in.segment(tile * reduce_tile - 1);
}

/// One block for each tile. The block of a segment's first carry folds all its carries into the segment's
/// entry.
template <reduction R>
__global__ void __launch_bounds__(reduce_threads) fold_carries(const segmented_values<R> in) {
  using part = stretch<typename R::value_type>;
  __shared__ per_warp<part> warps;
  const std::uint64_t first = blockIdx.x;
  if (!has_carry(in, first)) return;
  const std::uint32_t segment = in.segment(first * reduce_tile);
  if (has_carry(in, first - 1) && in.segment((first - 1) * reduce_tile) == segment) return;
  // Finds the tiles that begin in this segment by binary search: segment numbers ascend.
  std::uint64_t end = first + 1;
  for (std::uint64_t beyond = most_carries(in.count); end < beyond;) {
    const std::uint64_t middle = end + (beyond - end) / 2;
    if (in.segment(middle * reduce_tile) == segment) {
      end = middle + 1;
    } else {
      beyond = middle;
    }
  }

  // Each thread takes consecutive carries, so that the order holds.
  const std::uint64_t share = (end - first + reduce_threads - 1) / reduce_threads;
  const std::uint64_t begin = first + threadIdx.x * share;
  part mine;
  for (std::uint64_t i = begin; i < min(begin + share, end); ++i) {
    mine = join(mine, part{in.carries[i], true, false}, in.reduce);
  }
  mine = join_up_to_lane(mine, in.reduce);
  if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  part all{in.entries[segment].value, true, true};
  for (unsigned i = 0; i < reduce_threads / 32; ++i) all = join(all, warps[i], in.reduce);
  in.entries[segment].value = all.value;
}

}  // namespace detail

/// Queues the reduction. The entries' values are ready when the stream has passed it. Each value is combined
/// only with its neighbours, so the reduction need not commute.
template <reduction R>
void reduce_segments(const segmented_values<R>& in, const stream& on) {
  const auto tiles = static_cast<unsigned>(most_carries(in.count));
  launch(detail::reduce_tiles<R>, {tiles, reduce_threads, 0, on.get()}, in);
  if (tiles > 1) launch(detail::fold_carries<R>, {tiles, reduce_threads, 0, on.get()}, in);
}

}  // namespace duomap::gpu
