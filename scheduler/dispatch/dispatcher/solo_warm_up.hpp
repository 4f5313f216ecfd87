// The beginning of a run, which the pools leave to the devices.
#pragma once

#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"
#include "scheduler/planner/planner_thresholds.hpp"

#include <atomic>
#include <vector>

namespace duomap::scheduler {

/// For a while the workers of the pools are held back, so that it is seen what each device does alone. That
/// ends when enough was seen, when no device takes part any more, or with the time that the options give to
/// it. Also where nothing is to be seen, because the devices alone are known to be best, the pools are held
/// back for that time.
///
/// Threads: pools_held_back(), probes() and ends_at() any thread, without a lock; the rest with the
/// dispatcher's mutex held, which guards what was seen.
class solo_warm_up {
 public:
  solo_warm_up(const executor_table& all, const dispatch_options& how)
    : all_(all),
      looks_(how.solo_warm_up),
      ends_at_(how.hold_back_seconds),
      until_(how.hold_back_seconds),
      seen_(all.size()) {}

  /// Whether this is to see something.
  [[nodiscard]] bool looks() const noexcept { return looks_; }
  /// Whether pools still leave everything to devices.
  [[nodiscard]] bool pools_held_back(double now) const noexcept;
  /// When they do not any more at the latest.
  [[nodiscard]] double ends_at() const noexcept { return ends_at_; }

  /// How many workers of a pool of unknown rate take a grain each before they are held back: when that is
  /// over it has to be known what they add. The less is known of a pool that has begun, the faster it may be:
  /// an H200 was held back for 0.7 to 3 ms of 20, until 16 workers had ended their first grains.
  [[nodiscard]] unsigned probes(const executor_state& pool) const noexcept;

  /// A device ended a chunk. Ends its ramp when enough was seen. True when all was seen, so that workers that
  /// are held back should look again.
  [[nodiscard]] bool chunk_ended(unsigned device, grain_range grains, double now);

  /// Whether enough was seen of a device.
  [[nodiscard]] bool saw(unsigned device) const noexcept {
    return seen_[device].chunks >= measured_thresholds.few;
  }
  /// Then its seconds per grain.
  [[nodiscard]] double seconds_per_grain(unsigned device) const noexcept;

 private:
  // What a device did while pools were held back, without its first chunks, which cost what later ones do
  // not. From end to end, because chunks that end late end together.
  struct undisturbed {
    double begin = 0;
    double end = 0;
    double grains = 0;
    unsigned chunks = 0;
    unsigned before = 0;
    void add(double ended_grains, double now);
  };

  [[nodiscard]] bool saw_all() const noexcept;

  const executor_table& all_;
  const bool looks_;
  const double ends_at_;
  // Relaxed: a thread that reads it late begins a moment later. Written under the mutex.
  std::atomic<double> until_;
  std::vector<undisturbed> seen_;
};

}  // namespace duomap::scheduler
