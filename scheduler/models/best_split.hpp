// Finds the best split between two sides by trials. Policies are measured against that split.
#pragma once

#include <algorithm>
#include <limits>

namespace duomap::scheduler {

/// A split and the seconds that it took.
struct tried_split {
  double share = 0;  ///< of the first side
  double seconds = std::numeric_limits<double>::infinity();
};

/// Tries shares from 0 to 1 in `steps` steps, then again between the neighbours of the best, and returns the
/// fastest. `run(share)` gives seconds; it is called 2 * steps times, so this is for benchmarks only.
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
