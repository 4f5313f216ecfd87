// Reads a long key with all lanes of a warp.
#pragma once

#include "core/byte_view.hpp"
#include "core/hash.hpp"
#include "gpu/record/key_bytes.hpp"
#include "gpu/runtime/warp.cuh"

#include <cstdint>

namespace duomap::gpu {

/// The way to read a key inside the chunk (gpu/record/key_bytes.hpp) with all lanes, which take the key's
/// words in turn. lead() gives all lanes the first lane's result. The first lane sees the earlier writes of
/// the other lanes.
struct by_warp : in_chunk {
  [[nodiscard]] __device__ static constexpr unsigned workers() { return 32; }
  [[nodiscard]] __device__ static unsigned worker() { return lane_index(); }
  static constexpr unsigned at_once = 8;
  [[nodiscard]] __device__ static bool all(bool true_here) {
    return __all_sync(all_lanes, static_cast<int>(true_here)) != 0;
  }
  template <class F>
  [[nodiscard]] __device__ static auto lead(const F& f) {
    decltype(f()) found{};
    __syncwarp();
    if (lane_index() == 0) found = f();
    __syncwarp();
    return __shfl_sync(all_lanes, found, 0);
  }
};

static_assert(hash_stripes == 32, "a lane for each");

/// Hashes a key of the chunk in stripes, with all lanes together.
[[nodiscard]] __device__ inline std::uint64_t hash_by_warp(byte_view key) {
  const auto load = [](const char* from) {
    return load_eight(from, in_chunk{});
  };
  // The loop takes the steps of hash_stripes_from(), but each lane loads at_once words before it uses one.
  std::uint64_t mine = key.size * duomap::detail::hash_k1;
  constexpr std::uint64_t row = 8 * hash_stripes;
  std::uint64_t i = std::uint64_t{8} * lane_index();
  for (; i + (by_warp::at_once - 1) * row + 8 < key.size; i += by_warp::at_once * row) {
    std::uint64_t words[by_warp::at_once];
    for (unsigned n = 0; n < by_warp::at_once; ++n) words[n] = load(key.data + i + n * row);
    for (const std::uint64_t word : words) mine = duomap::detail::hash_step(mine, word);
  }
  for (; i + 8 < key.size; i += row) mine = duomap::detail::hash_step(mine, load(key.data + i));
  const auto of_stripe = [&](unsigned stripe) {
    return __shfl_sync(all_lanes, static_cast<unsigned long long>(mine), static_cast<int>(stripe));
  };
  return hash_of_stripes(key, of_stripe, load);
}

}  // namespace duomap::gpu
