// The ratio of two variants that took turns.
// host only
#pragma once

#include "apps/bench/harness/comparison.hpp"

namespace duomap::apps {

/// A ratio of two variants: the median over the rounds, and how far that may be off.
struct paired_ratio {
  double value = 0;
  double error = 0;  ///< standard error of a median, from the median deviation of the rounds
};

/// Seconds of `over` divided by those of `under`, round by round.
[[nodiscard]] paired_ratio ratio_of(const series& over, const series& under);

/// The same of processor time, which other programs on the machine disturb less.
[[nodiscard]] paired_ratio processor_ratio_of(const series& over, const series& under);

}  // namespace duomap::apps
