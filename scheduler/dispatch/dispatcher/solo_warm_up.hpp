// Controls the beginning of a run, which the pools leave to the devices.
#pragma once

#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <atomic>
#include <vector>

namespace duomap::scheduler {

/// Holds the workers of the pools back at first, to measure each device alone. That ends when every device is
/// measured, when no device takes part any more, or after dispatch_options::hold_back_seconds. If devices
/// alone are known to be best, the pools are held back for that time without a measurement.
///
/// Threads: any thread may call pools_held_back(), probes() and ends_at(), without a lock. The rest is called
/// with the dispatcher's mutex held, which guards the measurements.
class solo_warm_up {
 public:
  solo_warm_up(const executor_table& all, const dispatch_options& how)
    : all_(all),
      looks_(how.solo_warm_up),
      ends_at_(how.hold_back_seconds),
      until_(how.hold_back_seconds),
      seen_(all.size()) {}

  /// Whether the warm-up measures devices. False: it only holds the pools back.
  [[nodiscard]] bool looks() const noexcept { return looks_; }
  /// Whether pools are still held back for devices.
  [[nodiscard]] bool pools_held_back(double now) const noexcept;
  /// The latest time at which the pools stop being held back.
  [[nodiscard]] double ends_at() const noexcept { return ends_at_; }

  /// The number of workers of a pool of unknown rate that take one grain each before they are held back. The
  /// pool's rate has to be known when the warm-up ends. But a pool that has begun seems fast until its first
  /// grains have ended: an H200 was held back for 0.7 to 3 ms of 20, until 16 workers had ended their grains.
  [[nodiscard]] unsigned probes(const executor_state& pool) const noexcept;

  /// Tells that a device ended a chunk. If the device is now measured, its ramp ends. True: all devices are
  /// measured, so workers that are held back should ask again.
  [[nodiscard]] bool chunk_ended(unsigned device, grain_range grains, double now);

  /// Whether a device has been measured.
  [[nodiscard]] bool saw(unsigned device) const noexcept {
    return seen_[device].chunks >= measured_thresholds.few;
  }
  /// The measured seconds per grain of a device.
  [[nodiscard]] double seconds_per_grain(unsigned device) const noexcept;

 private:
  // The chunks of a device while pools were held back. The first chunks are left out, because they have costs
  // that later chunks do not have. The time is taken from the end of one chunk to the end of another, because
  // chunks that end late end together.
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
  // Written under the mutex. Reads are relaxed: a thread that sees the change late begins a moment later.
  std::atomic<double> until_;
  std::vector<undisturbed> seen_;
};

}  // namespace duomap::scheduler
