// Measures how fast a device is, with chunks that are part of the work.
#pragma once

#include "scheduler/thresholds/planner_thresholds.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace duomap::scheduler {

/// Measures a device with growing chunks. The first chunks say little about the rate: they include the start
/// of threads, locking of memory and loading of kernels, and a small chunk takes as long as a large one
/// (decision 11). So each chunk is four times as large as the one before, until the time per grain is about
/// that of the best chunk (the tolerance is in learning.hpp). During the ramp, the rate so far is used only
/// to refuse chunks that could delay the end of the run. Workers leave their cores to the device for a small
/// part of the run. They do so again if one of the first chunks outlasts that time.
///
/// No measurement holds for ever. So a device that seems useless gets another ramp each time the run has
/// become four times as long.
///
/// Threads: any thread may call over() and solo_until(). The other methods are called under one lock.
class calibration_ramp {
 public:
  /// `known`: the device's rate is believed to be known, so a ramp begins only if measurements differ from
  /// it. `cold`: this run starts the device, so its first chunks may be slow for that reason.
  calibration_ramp(bool known, bool cold) noexcept
    : over_(known),
      first_(!known || cold),
      found_(known),
      next_(known ? measured_thresholds.short_run_seconds : 0) {}

  /// Whether the device's rate is known. The load is relaxed: a thread that sees the change late decides as
  /// it would have a moment before.
  [[nodiscard]] bool over() const noexcept { return over_.load(std::memory_order_relaxed); }

  /// The time at which workers stop leaving their cores to the ramp. The load is relaxed, as in over().
  [[nodiscard]] double solo_until() const noexcept { return solo_until_.load(std::memory_order_relaxed); }

  /// Whether the rate was known before, or the ramp found it. A later run may then rely on it.
  [[nodiscard]] bool found() const noexcept { return found_; }

  /// Whether it is time to try again a device that seemed useless.
  [[nodiscard]] bool is_due(double now) const noexcept { return now >= next_; }

  /// The state of the run at the moment when the ramp chooses a chunk.
  struct outlook {
    std::uint32_t left = 0;     ///< free grains
    std::uint32_t most = 1;     ///< the largest chunk, in grains
    double others_seconds = 0;  ///< the time in which the other executors could do the rest
    double grain_seconds = 0;   ///< a pessimistic time per grain, used until the first chunk has ended
    double claim_seconds = 0;   ///< the fixed cost of a chunk
    std::uint32_t open = 0;     ///< grains that the device has in hand
    double now = 0;
  };

  /// The number of grains of the ramp's next chunk. No value: the device gets no chunk now. Begins a ramp if
  /// none is going on.
  [[nodiscard]] std::optional<std::uint32_t> next(const outlook& run);

  /// Tells that the solo warm-up has measured the rate, so that no ramp is needed.
  void spare(double now) {
    found_ = true;
    end(true, now);
  }

  void ended(std::uint32_t grains, double seconds, double now);

 private:
  void end(bool rate_is_known, double now);

  std::atomic<bool> over_;
  std::atomic<double> solo_until_{0};
  bool first_;  // the next ramp is the first, which is likely to help
  double scale_ = 1;
  double solo_seconds_ = 0;
  bool found_;
  std::uint32_t size_ = 0;  // the largest size of the next chunk; 0: no ramp has begun
  std::uint32_t chunks_ = 0;
  std::uint32_t last_ = 0;  // size of the last chunk, in grains
  double best_per_grain_ = std::numeric_limits<double>::infinity();
  double next_;  // no ramp begins before this time
};

}  // namespace duomap::scheduler
