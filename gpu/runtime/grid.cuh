// The launch shape of kernels that treat one array element per thread.
#pragma once

#include "core/error.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <cstdint>

namespace duomap::gpu {

inline constexpr unsigned element_threads = 256;

/// Blocks for `count` elements, at most enough to fill any device several times; threads then loop.
[[nodiscard]] inline launch_shape element_grid(std::uint64_t count, const stream& on,
                                               call_site called_from = call_site::current()) {
  constexpr std::uint64_t most_blocks = 16384;
  const std::uint64_t blocks = std::min((count + element_threads - 1) / element_threads, most_blocks);
  return {static_cast<unsigned>(blocks), element_threads, 0, on.get(), called_from};
}

/// The calling thread's elements are first_element(), first_element() + element_step(), ...
[[nodiscard]] __device__ inline std::uint64_t first_element() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
[[nodiscard]] __device__ inline std::uint64_t element_step() { return std::uint64_t{gridDim.x} * blockDim.x; }

}  // namespace duomap::gpu
