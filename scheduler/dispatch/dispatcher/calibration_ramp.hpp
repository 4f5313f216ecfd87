// Finding out how fast a device is, with chunks that are part of the work.
#pragma once

#include "scheduler/planner/planner_thresholds.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace duomap::scheduler {

/// What a device's first chunks cost says little of its rate: they make threads, lock memory and load
/// kernels, and a small one costs as much as a large one. On an H200 the first chunk of a process, 2 MB, took
/// 16 ms; of later ones one of 128 KiB takes 0.3, one of 64 MiB 1.4. So a ramp grows: each chunk is four
/// times as large as the one before, until its grains cost as much as those of the best, but for what is no
/// surprise (learning.hpp). Until then nothing is decided by what the device seems to be: a chunk is refused
/// only when it could, at the best rate seen so far, hold up the end of the run. For a small part of the run
/// others leave their cores to it, and again when one of the first chunks has outlasted that.
///
/// A device that turned out to be of no use, or is believed to be, gets another ramp each time the run has
/// become four times as long: whatever was believed or measured, it is not for ever.
///
/// over() and alone_until() may be called by any thread, the rest under one lock.
class calibration_ramp {
 public:
  /// `known`: its rate is believed to be known, and a ramp is only needed when that seems to be wrong.
  /// `cold`: the device is started in this run, so that its first chunks may seem to say so.
  calibration_ramp(bool known, bool cold) noexcept
    : over_(known),
      first_(!known || cold),
      found_(known),
      next_(known ? measured_thresholds.short_run_seconds : 0) {}

  /// Whether its rate is known. Relaxed: a thread that reads it late decides as a moment before.
  [[nodiscard]] bool over() const noexcept { return over_.load(std::memory_order_relaxed); }

  /// Until when others leave their cores to the ramp. Relaxed, as over().
  [[nodiscard]] double alone_until() const noexcept { return alone_until_.load(std::memory_order_relaxed); }

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
  std::atomic<double> alone_until_{0};
  bool first_;  // ramp, and not likely to be in vain
  double scale_ = 1;
  double alone_seconds_ = 0;
  bool found_;
  std::uint32_t size_ = 0;  // of the next chunk at most; 0: no ramp has begun
  std::uint32_t chunks_ = 0;
  std::uint32_t last_ = 0;  // grains of the last one
  double best_per_grain_ = std::numeric_limits<double>::infinity();
  double next_;  // no ramp begins before
};

}  // namespace duomap::scheduler
