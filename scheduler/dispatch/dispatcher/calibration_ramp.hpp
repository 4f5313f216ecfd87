// Finds out how fast a device is, with chunks that are part of the work.
#pragma once

#include "scheduler/thresholds/planner_thresholds.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace duomap::scheduler {

/// The times of a device's first chunks say little of its rate: they include the start of threads, locks of
/// memory and loads of kernels, and a small chunk takes as long as a large one (decision 11). So a ramp
/// grows: each chunk is four times as large as the chunk before, until a grain costs about as much as in the
/// best chunk (learning.hpp has the tolerance). Until then the device's apparent rate decides only one thing:
/// the ramp refuses a chunk that could delay the end of the run at the best rate so far. Workers leave their
/// cores to the device for a small part of the run, and again if one of the first chunks outlasts that time.
///
/// A device that seems useless gets another ramp each time the run has become four times as long, because no
/// measurement holds for ever.
///
/// Threads: any thread may call over() and solo_until(), the rest is called under one lock.
class calibration_ramp {
 public:
  /// `known`: the device's rate seems to be known, and a ramp is only needed if measurements differ from that
  /// rate. `cold`: the device is started in this run, so that its first chunks may differ for that reason.
  calibration_ramp(bool known, bool cold) noexcept
    : over_(known),
      first_(!known || cold),
      found_(known),
      next_(known ? measured_thresholds.short_run_seconds : 0) {}

  /// Whether the device's rate is known. Relaxed: a thread that reads it late decides as it would have a
  /// moment before.
  [[nodiscard]] bool over() const noexcept { return over_.load(std::memory_order_relaxed); }

  /// The time at which workers stop leaving their cores to the ramp. Relaxed, as over().
  [[nodiscard]] double solo_until() const noexcept { return solo_until_.load(std::memory_order_relaxed); }

  /// Whether the rate was known before or the ramp found it, so that a later run may rely on it.
  [[nodiscard]] bool found() const noexcept { return found_; }

  /// Whether it is time to try a device again that is of no use at its known rate.
  [[nodiscard]] bool is_due(double now) const noexcept { return now >= next_; }

  /// The state of the run when the ramp sizes a chunk.
  struct outlook {
    std::uint32_t left = 0;     ///< free grains
    std::uint32_t most = 1;     ///< the largest chunk, in grains
    double others_seconds = 0;  ///< the time that the other executors need for the rest
    double grain_seconds = 0;   ///< a pessimistic time for a grain, until the first chunk has ended
    double claim_seconds = 0;   ///< the fixed cost of a chunk
    std::uint32_t open = 0;     ///< grains that the device has in hand
    double now = 0;
  };

  /// The grains of the ramp's next chunk; nothing: the device gets no chunk now. Begins a ramp when there is
  /// none.
  [[nodiscard]] std::optional<std::uint32_t> next(const outlook& run);

  /// The solo warm-up has measured the rate: no ramp is needed.
  void spare(double now) {
    found_ = true;
    end(true, now);
  }

  void ended(std::uint32_t grains, double seconds, double now);

 private:
  void end(bool rate_is_known, double now);

  std::atomic<bool> over_;
  std::atomic<double> solo_until_{0};
  bool first_;  // the next ramp is the first one, and likely to help
  double scale_ = 1;
  double solo_seconds_ = 0;
  bool found_;
  std::uint32_t size_ = 0;  // the largest size of the next chunk; 0: no ramp has begun
  std::uint32_t chunks_ = 0;
  std::uint32_t last_ = 0;  // grains of the last chunk
  double best_per_grain_ = std::numeric_limits<double>::infinity();
  double next_;  // no ramp begins before this time
};

}  // namespace duomap::scheduler
