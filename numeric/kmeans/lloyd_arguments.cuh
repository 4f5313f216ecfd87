// Declares the arguments of the kernels of a k-means step.
#pragma once

#include <cstdint>

namespace duomap::gpu {

/// Points and centres are rows of `dimensions` floats. Everything is in device memory.
struct lloyd_arguments {
  const float* points;
  std::uint64_t count;
  std::uint32_t dimensions;
  std::uint32_t centres;
  std::uint32_t low_bits;  ///< bits of a coordinate's low part (grid_rounding.cuh)
  const float* shift;      ///< subtracted from points; four readable numbers follow
  const float* units;      ///< the grid's unit, for each dimension
  const float* negative_centres;
  const float* half_squares;
  /// The totals, indexed by the keys of lloyd_step; kernels add to them.
  unsigned long long* totals;
  std::uint32_t* labels;  ///< the nearest centre of each point; may be null

  [[nodiscard]] __device__ unsigned long long* sums_of(std::uint32_t centre) const {
    return totals + std::uint64_t{centre} * (dimensions + 1);
  }
};

}  // namespace duomap::gpu
