// Finds the best split between two sides by trials, as a standard for policies.
#pragma once

#include <algorithm>
#include <limits>

namespace duomap::scheduler {

/// A split between two sides, and the seconds that it took.
struct tried_split {
  double share = 0;  ///< share of the first side
  double seconds = std::numeric_limits<double>::infinity();
};

/// Tries shares from 0 to 1 in `steps` steps, then tries finer shares around the best one, and returns the
/// fastest. `run(share)` returns the seconds of a run. Only for benchmarks: it is called 2 * steps times.
template <class Run>
[[nodiscard]] tried_split best_split(const Run& run, int steps = 50) {
  tried_split best;
  const auto sweep = [&](double from, double to) {
    for (int i = 0; i <= steps; ++i) {
      const double share = from + (to - from) * i / steps;
      const double seconds = run(share);
      if (seconds < best.seconds) best = {share, seconds};
    }
  };
  sweep(0, 1);
  const double step = 1.0 / steps;
  sweep(std::max(0.0, best.share - step), std::min(1.0, best.share + step));
  return best;
}

}  // namespace duomap::scheduler
