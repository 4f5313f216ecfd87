#include "scheduler/dispatch/sharing/executor_rate.hpp"

#include <algorithm>

namespace duomap::scheduler {
namespace {

// However much faster it was alone before, an executor is believed to be at most twice as fast alone.
constexpr double most_slowed = 2;

}  // namespace

executor_rate::executor_rate(const grain_model& believed, unsigned workers) noexcept
  : now_(believed, workers),
    alone_({}, workers),
    believed_alone_(
        believed.known() && believed.alone_seconds_per_grain != 0
            ? std::clamp(believed.alone_seconds_per_grain / believed.seconds_per_grain, 1 / most_slowed, 1.0)
            : 1) {}

// What was measured alone in this run may be of grains long past, which may have cost something else.
double executor_rate::alone_per_grain() const noexcept {
  const double now = seconds_per_grain();
  if (const double looked = first_look(); looked > 0) return std::clamp(looked, now / most_slowed, now);
  return now * believed_alone_;
}

}  // namespace duomap::scheduler
