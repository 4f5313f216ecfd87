// How many threads it takes to keep a device's link busy. Knows no clock and no thread. host only
#pragma once

#include <cstdint>
#include <optional>

namespace duomap::gpu {

/// Counts the threads that reading needs: the seconds spent reading parts of pieces, over the seconds in
/// which there was something to read. What threads wait for a buffer, because the link is busy, is not in it;
/// one thread more than needed is what keeps the link busy. When no thread waits, all are called.
///
/// It is measured because hosts differ: a thread read 8 GB/s on one host and 5 on another (decision 15).
///
/// Not synchronised: the caller holds a lock. All times are in seconds, of one steady clock.
class thread_demand {
 public:
  /// `most` > 0: how many threads there can be; so many are at work until it is known how many are needed.
  explicit thread_demand(unsigned most) : most_(most), threads_(most) {}

  /// There is something to read, where there was nothing.
  void begins(double now);

  /// There is nothing to read until begins(), as at first; what has begun is still being read.
  void runs_dry(double now);

  /// A part was read in `seconds`, until now. True when threads() has changed.
  bool read(double seconds, double now);

  /// How many threads should read.
  [[nodiscard]] unsigned threads() const noexcept { return threads_; }

  /// The same, or nothing while it has not been measured.
  [[nodiscard]] std::optional<unsigned> measured() const {
    return measured_ ? std::optional(threads_) : std::nullopt;
  }

 private:
  [[nodiscard]] double dry_until(double now) const;

  // Of so many for each thread: at 512 KiB, 6 ms of an H200's link.
  static constexpr std::uint64_t parts_per_thread = 64;

  unsigned most_;
  unsigned threads_;
  bool warm_ = false;
  bool measured_ = false;
  // Since the last decision.
  std::uint64_t parts_ = 0;
  double reading_ = 0;
  double since_ = 0;
  double dry_ = 0;  // with nothing to read, as far as that is over
  std::optional<double> dry_since_ = 0;
};

}  // namespace duomap::gpu
