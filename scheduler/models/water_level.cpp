// Computes the common end of executors, and leaves out executors that would be ready after it.
#include "scheduler/models/water_level.hpp"

#include <limits>

namespace duomap::scheduler {

double water_level(double grains, std::span<const executor_forecast> all) noexcept {
  double limit = std::numeric_limits<double>::infinity();
  while (true) {
    // T is the common end of the executors that are ready before `limit`. The sum of (T - ready) /
    // seconds_per_grain is then the work.
    double grains_and_head_starts = grains;
    double grains_per_second = 0;
    for (const executor_forecast& one : all) {
      if (one.ready_seconds >= limit) continue;
      grains_and_head_starts += one.ready_seconds / one.seconds_per_grain;
      grains_per_second += 1 / one.seconds_per_grain;
    }
    if (grains_per_second == 0) return limit;
    const double level = grains_and_head_starts / grains_per_second;
    // Including an executor that is ready after the common end only makes that end later. Without such
    // executors it is sooner, so several may be left out at once.
    bool all_take_part = true;
    for (const executor_forecast& one : all) {
      if (one.ready_seconds < limit && one.ready_seconds >= level) all_take_part = false;
    }
    if (all_take_part || grains == 0) return level;
    limit = level;
  }
}

double share_below(double level, const executor_forecast& one) noexcept {
  return level > one.ready_seconds ? (level - one.ready_seconds) / one.seconds_per_grain : 0;
}

}  // namespace duomap::scheduler
