// Rounds coordinates to integers on a grid, each as two parts whose sums fit into 32 bits for a while.
#pragma once

#include <cstdint>

namespace duomap::gpu {

/// A coordinate is high * 2^low_bits + low units.
struct grid_number {
  int high;
  int low;
};

/// Rounds to the grid, ties to even, by adding a float whose last bit is one unit, as lloyd_step does.
class grid_rounding {
 public:
  __device__ grid_rounding(float unit, std::uint32_t low_bits)
    : low_(0x1.8p23f * unit), high_(low_ * static_cast<float>(1u << low_bits)) {}

  [[nodiscard]] __device__ grid_number operator()(float coordinate) const {
    const grid_number raw = with_bias(coordinate);
    return {raw.high - bias().high, raw.low - bias().low};
  }

  /// Returns the two parts, each with a bias added. Leaving the biases in saves two instructions for each
  /// coordinate. One multiplication takes all biases out of a whole sum.
  [[nodiscard]] __device__ grid_number with_bias(float coordinate) const {
    const float high = coordinate + high_;
    const float low = coordinate - (high - high_) + low_;
    return {__float_as_int(high), __float_as_int(low)};
  }
  [[nodiscard]] __device__ grid_number bias() const { return {__float_as_int(high_), __float_as_int(low_)}; }

 private:
  float low_;
  float high_;
};

/// The number of units in a coordinate, or in a sum of coordinates whose parts were added up. The type is
/// unsigned, because atomicAdd() has no signed 64-bit form.
[[nodiscard]] __device__ inline unsigned long long units_of(grid_number number, std::uint32_t low_bits) {
  return static_cast<unsigned long long>((static_cast<long long>(number.high) << low_bits) + number.low);
}

}  // namespace duomap::gpu
