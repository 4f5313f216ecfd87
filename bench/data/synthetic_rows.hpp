// Makes rows of random numbers for benchmarks.
// host only
#pragma once

#include "numeric/common/matrix.hpp"

#include <cmath>
#include <cstdint>

namespace duomap::apps {

/// Numbers drawn uniformly from [0, 1). The same seed gives the same numbers.
[[nodiscard]] inline matrix<float> synthetic_rows(std::uint64_t rows, std::uint64_t columns,
                                                  std::uint64_t seed) {
  matrix<float> all(rows, columns, "synthetic rows");
  // splitmix64 (Steele, Lea, Flood, OOPSLA 2014), of which 24 bits make a float.
  std::uint64_t state = seed;
  for (std::uint64_t i = 0; i < rows * columns; ++i) {
    std::uint64_t mixed = state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    all.data()[i] = static_cast<float>((mixed ^ mixed >> 31) >> 40) * 0x1p-24f;
  }
  return all;
}

/// Numbers from -1 to 1. Numbers of one sign only would make all cosines large.
[[nodiscard]] inline matrix<float> synthetic_vectors(std::uint64_t rows, std::uint64_t columns,
                                                     std::uint64_t seed) {
  matrix<float> all = synthetic_rows(rows, columns, seed);
  for (std::uint64_t i = 0; i < rows * columns; ++i) all.data()[i] = 2 * all.data()[i] - 1;
  return all;
}

/// Whole numbers from -2 to 2. Their products and sums have no rounding, so every order of additions gives
/// the same answer.
[[nodiscard]] inline matrix<float> synthetic_whole_numbers(std::uint64_t rows, std::uint64_t columns,
                                                           std::uint64_t seed) {
  matrix<float> all = synthetic_rows(rows, columns, seed);
  for (std::uint64_t i = 0; i < rows * columns; ++i) all.data()[i] = std::floor(5 * all.data()[i]) - 2;
  return all;
}

}  // namespace duomap::apps
