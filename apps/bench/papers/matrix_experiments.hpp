// Matrix products, similarity scores and covariances, as the papers measured them.
// host only
#pragma once

#include "apps/bench/papers/experiment.hpp"

#include <cstdint>

namespace duomap::apps {

/// The product of two n x n matrices of small whole numbers, so that sums have no rounding. Compared: every
/// element.
[[nodiscard]] experiment matmul_experiment(std::uint64_t n);

/// The cosine of every two of so many vectors of 128 numbers. Compared: every cosine, to 1e-5.
[[nodiscard]] experiment similarity_experiment(std::uint64_t vectors);

/// The sums that covariances of columns are made of. Compared: every sum, to 1e-5 of a column's sum of
/// squares.
[[nodiscard]] experiment covariance_experiment(std::uint64_t rows, std::uint32_t columns);

}  // namespace duomap::apps
