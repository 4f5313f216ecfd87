// Computes the number of threads that keep a device's link busy, without a clock and without threads. host
// only
#pragma once

#include <cstdint>
#include <optional>

namespace duomap::gpu {

/// Computes how many threads reading needs: the seconds that threads spent reading parts, divided by the
/// seconds in which there was something to read. Time in which a thread waits for a buffer, because the link
/// is busy, is no reading time. One thread more than computed keeps the link busy. If no thread waits, all
/// threads are used.
///
/// The number is measured, because hosts differ: a thread read 8 GB/s on one host and 5 on another (decision
/// 15).
///
/// Not synchronised: the caller holds a lock. All times are in seconds, of the same steady clock.
class thread_demand {
 public:
  /// `most` > 0: the largest number of threads. All of them work until the needed number is measured.
  explicit thread_demand(unsigned most) : most_(most), threads_(most) {}

  /// Call it when there is a part to read after a pause.
  void begins(double now);

  /// Call it when there is no part to read until the next call of begins(), as at first. Threads may still be
  /// reading parts that they have begun.
  void runs_dry(double now);

  /// Counts a part that a thread has read in `seconds`, ending now. Returns whether threads() has changed.
  bool read(double seconds, double now);

  /// The number of threads that should read.
  [[nodiscard]] unsigned threads() const noexcept { return threads_; }

  /// The measured number of threads; nothing while it has not been measured.
  [[nodiscard]] std::optional<unsigned> measured() const {
    return measured_ ? std::optional(threads_) : std::nullopt;
  }

 private:
  [[nodiscard]] double dry_until(double now) const;

  // The number of parts for each thread in a measurement. With ten threads and parts of 512 KiB, a
  // measurement takes 6 ms of an H200's link.
  static constexpr std::uint64_t parts_per_thread = 64;

  unsigned most_;
  unsigned threads_;
  bool warm_ = false;
  bool measured_ = false;
  // The counts and times since the last measurement.
  std::uint64_t parts_ = 0;
  double reading_ = 0;
  double since_ = 0;
  double dry_ = 0;  // seconds with nothing to read, in the pauses that have ended
  std::optional<double> dry_since_ = 0;
};

}  // namespace duomap::gpu
