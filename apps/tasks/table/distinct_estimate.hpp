// Estimates a number of different values from the registers of a HyperLogLog sketch.
// host only
#pragma once

#include "apps/tasks/table/counted_numbers.hpp"

#include <cstdint>
#include <span>

namespace duomap::apps {

/// Estimates how many different hashes have filled the registers. `ranks`: the ranks of the registers that
/// have one, each with the number of these registers. The standard error is 1.04 / sqrt(4096), which is 1.6
/// %. Source: Ertl, New cardinality estimation algorithms for HyperLogLog sketches, arXiv:1702.01284, 2017;
/// its estimator has no bias, also for small numbers.
/// @throws input_error for ranks that no sketch has
[[nodiscard]] std::int64_t distinct_estimate(std::span<const counted_number> ranks);

}  // namespace duomap::apps
