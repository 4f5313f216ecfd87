// Combines the values of lanes of a warp that have the same key.
#pragma once

#include "core/reduce.hpp"
#include "gpu/engines/dense/value_words.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// Reduces the values of lanes with the same key. One of these lanes gets the result and true, the others get
/// false. Any set of lanes may call it.
template <class V, class R>
[[nodiscard]] __device__ bool reduce_over_peers(std::uint64_t key, V& value, const R& reduce) {
  const unsigned peers = __match_any_sync(__activemask(), static_cast<unsigned long long>(key));
  const auto lowest = [](unsigned lanes) {
    return static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1;
  };
  V all = shuffle(peers, value, lowest(peers));
  for (unsigned rest = peers & (peers - 1); rest != 0; rest &= rest - 1)
    all = reduce(all, shuffle(peers, value, lowest(rest)));
  value = all;
  return threadIdx.x % 32 == lowest(peers);
}

namespace detail {

/// Whether GPUs of compute capability 8.0 and higher add a reduction's values over lanes in hardware: in one
/// operation for 32 bits, in four for 64 bits.
template <class R>
inline constexpr bool adds_over_lanes = false;
template <std::integral V>
inline constexpr bool adds_over_lanes<sum<V>> = sizeof(V) == 4 || sizeof(V) == 8;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <class V>
[[nodiscard]] __device__ V add_over_lanes(unsigned lanes, V value) {
  if constexpr (sizeof(V) == 4) {
    return static_cast<V>(__reduce_add_sync(lanes, static_cast<unsigned>(value)));
  } else {
    const auto bits = static_cast<unsigned long long>(value);
    unsigned long long all = 0;
#pragma unroll
    for (unsigned at = 0; at < 64; at += 16) {
      const auto piece = static_cast<unsigned>(bits >> at & 0xFFFF);
      all += static_cast<unsigned long long>(__reduce_add_sync(lanes, piece)) << at;
    }
    return static_cast<V>(all);
  }
}
#endif

/// The first active lane, and the lanes that have its key.
struct equal_lanes {
  unsigned first;
  unsigned same;

  __device__ explicit equal_lanes(std::uint32_t key) {
    const unsigned active = __activemask();
    first = static_cast<unsigned>(__ffs(static_cast<int>(active))) - 1;
    same = __ballot_sync(active, __shfl_sync(active, key, static_cast<int>(first)) == key);
  }
};

}  // namespace detail

/// Whether at least four active lanes have the first active lane's key. Any set of lanes may call it.
[[nodiscard]] __device__ inline bool has_equal_lanes(std::uint32_t key) {
  return __popc(detail::equal_lanes(key).same) >= 4;
}

/// Adds up the values of all active lanes that have the first lane's key. The first lane gets the sum and
/// true, the other lanes with its key get false, and lanes with other keys get true. If the hardware does not
/// add over lanes, all lanes get true. Any set of lanes may call it.
template <class R>
[[nodiscard]] __device__ bool sum_over_equal_lanes([[maybe_unused]] std::uint32_t key,
                                                   [[maybe_unused]] typename R::value_type& value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (detail::adds_over_lanes<R>) {
    const detail::equal_lanes lanes(key);
    if ((lanes.same >> threadIdx.x % 32 & 1) == 0) return true;
    value = detail::add_over_lanes(lanes.same, value);
    return threadIdx.x % 32 == lanes.first;
  }
#endif
  return true;
}

}  // namespace duomap::gpu
