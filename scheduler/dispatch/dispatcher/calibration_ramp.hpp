// Finding out how fast a device is, with chunks that are part of the work.
#pragma once

#include "scheduler/planner/planner_thresholds.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace duomap::scheduler {

/// The times of a device's first chunks say little of its rate: they include the start of threads, locks of
/// memory and loads of kernels, and a small chunk takes as long as a large one (decision 11). So a ramp
/// grows: each chunk is four times as large as the one before, until its grains cost as much as those of the
/// best chunk (learning.hpp says how exactly). Until then the device's apparent rate decides only one thing:
/// a chunk is refused if it could delay the end of the run at the best rate so far. For a small part of the
/// run others leave their cores to the device, and again if one of the first chunks takes longer than that.
///
/// A device that seems useless gets another ramp each time the run has become four times as long, because no
/// measurement holds for ever.
///
/// over() and solo_until() may be called by any thread, the rest under one lock.
class calibration_ramp {
 public:
  /// `known`: its rate is expected to be known, and a ramp is only needed if measurements differ from it.
  /// `cold`: the device is started in this run, so that its first chunks may differ for that reason.
  calibration_ramp(bool known, bool cold) noexcept
    : over_(known),
      first_(!known || cold),
      found_(known),
      next_(known ? measured_thresholds.short_run_seconds : 0) {}

  /// Whether its rate is known. Relaxed: a thread that reads it late decides as a moment before.
  [[nodiscard]] bool over() const noexcept { return over_.load(std::memory_order_relaxed); }

  /// Until when others leave their cores to the ramp. Relaxed, as over().
  [[nodiscard]] double solo_until() const noexcept { return solo_until_.load(std::memory_order_relaxed); }

  /// Whether its rate was believed to be known, or was found out, so that a later run may rely on it.
  [[nodiscard]] bool found() const noexcept { return found_; }

  /// Whether a device whose rate is known, and which is of no use at that rate, is to be tried again now.
  [[nodiscard]] bool is_due(double now) const noexcept { return now >= next_; }

  /// What is known when a chunk of a ramp is to be sized.
  struct outlook {
    std::uint32_t left = 0;     ///< grains nobody has
    std::uint32_t most = 1;     ///< grains of a chunk
    double others_seconds = 0;  ///< that the others need for what is left
    double grain_seconds = 0;   ///< what a grain is feared to take, as long as none was done
    double claim_seconds = 0;   ///< what a chunk costs beside its grains
    std::uint32_t open = 0;     ///< grains it has in hand
    double now = 0;
  };

  /// Grains of the next chunk of a ramp; nothing: none now. Begins a ramp when there is none.
  [[nodiscard]] std::optional<std::uint32_t> next(const outlook& run);

  /// Its rate is known from elsewhere: no ramp is needed.
  void spare(double now) {
    found_ = true;
    end(true, now);
  }

  /// One chunk ended.
  void ended(std::uint32_t grains, double seconds, double now);

 private:
  void end(bool rate_is_known, double now);

  std::atomic<bool> over_;
  std::atomic<double> solo_until_{0};
  bool first_;  // ramp, and not likely to be in vain
  double scale_ = 1;
  double solo_seconds_ = 0;
  bool found_;
  std::uint32_t size_ = 0;  // of the next chunk at most; 0: no ramp has begun
  std::uint32_t chunks_ = 0;
  std::uint32_t last_ = 0;  // grains of the last one
  double best_per_grain_ = std::numeric_limits<double>::infinity();
  double next_;  // no ramp begins before
};

}  // namespace duomap::scheduler
