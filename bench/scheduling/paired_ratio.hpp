// The ratio of two variants that took turns.
// host only
#pragma once

#include "bench/harness/comparison.hpp"

namespace duomap::apps {

/// A ratio of two variants: the median over the rounds and its error.
struct paired_ratio {
  double value = 0;
  double error = 0;  ///< standard error of the median, from the median deviation of the rounds
};

/// The seconds of `over` divided by the seconds of `under`, round by round.
[[nodiscard]] paired_ratio ratio_of(const series& over, const series& under);

/// The ratio of processor times, which other programs on the machine disturb less.
[[nodiscard]] paired_ratio processor_ratio_of(const series& over, const series& under);

}  // namespace duomap::apps
