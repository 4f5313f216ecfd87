// Keeps the solo rate near the rate beside others.
#include "scheduler/dispatch/dispatcher/executor_rate.hpp"

#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <algorithm>

namespace duomap::scheduler {

executor_rate::executor_rate(const grain_model& believed, unsigned workers) noexcept
  : now_(believed, workers),
    solo_({}, workers),
    believed_solo_(believed.known() && believed.solo_seconds_per_grain != 0
                       ? std::clamp(believed.solo_seconds_per_grain / believed.seconds_per_grain,
                                    1 / dispatch_thresholds::most_off, 1.0)
                       : 1) {}

// The solo warm-up may have measured grains that cost more or less than the present ones. So the present rate
// bounds the measured solo rate.
double executor_rate::solo_per_grain() const noexcept {
  const double now = seconds_per_grain();
  if (const double looked = solo_warm_up(); looked > 0)
    return std::clamp(looked, now / dispatch_thresholds::most_off, now);
  return now * believed_solo_;
}

}  // namespace duomap::scheduler
