// Searches for the number of pool workers that are best while devices are at work.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

namespace duomap::scheduler {

/// Workers of a pool can cost a device more than they do themselves: they take the cores that feed it, and
/// the memory's bandwidth (decision 10). So the search measures the rate of all executors together with
/// several numbers of workers, and keeps the best number. The numbers are: all workers, those that leave
/// cores to the devices, half and a quarter of these, and none.
///
/// If nothing is remembered of the task, the search begins without workers and measures the device's first,
/// small chunks. It goes on with the number that leaves cores to devices. If that makes the devices slower,
/// it tries fewer workers. Later it rarely tries the numbers next to the best one, so that it notices
/// changes.
///
/// Callers pass the time and the grains. Threads: chunk_ended() is called under one lock, share() by any
/// thread.
class contention_search {
 public:
  /// `idle` of the pools' `workers` are to leave their cores to devices at work. `remembered`: the share of
  /// the workers that was best before, if that is known. `learns`: whether to begin with no workers.
  contention_search(unsigned workers, unsigned idle, std::optional<double> remembered, bool learns);

  /// The share of the workers that should take part beside devices. Relaxed: a thread that reads it late
  /// changes its part one chunk later.
  [[nodiscard]] double share(double now) const noexcept {
    return solo_until() > now ? 0 : share_.load(std::memory_order_relaxed);
  }

  /// The latest time at which devices stop working alone; a time in the past when they do not work alone.
  [[nodiscard]] double solo_until() const noexcept { return solo_until_.load(std::memory_order_relaxed); }

  /// Whether the search has not found its first number yet. Call it under the lock of chunk_ended().
  [[nodiscard]] bool explores() const noexcept { return doing_ < phase::settled; }

  /// Whether begins() was called. Call it under the lock of chunk_ended().
  [[nodiscard]] bool begun() const noexcept { return begun_ || shares_.size() < 2; }

  /// The state of the run when devices begin.
  struct outlook {
    unsigned open = 0;       ///< chunks that devices may still begin before the pools rest
    double pool_grains = 0;  ///< grains done by pools so far
    double pool_rate =
        0;  ///< of all their workers, in grains per second; this and the next are 0 where not known
    double device_rate = 0;
    bool measured_solo =
        false;  ///< the pools were held back until now, so device_rate is the devices' solo rate
    double now = 0;
  };

  /// The first device whose rate is known is about to get chunks. If nothing is remembered the devices stay
  /// alone until their rate was measured, but no longer than `most_seconds`.
  void begins(double most_seconds, const outlook& run);

  struct progress {
    double now = 0;
    double pool_grains = 0;   ///< grains done by pools
    double left = 0;          ///< free grains
    unsigned open = 0;        ///< chunks that devices have in hand
    bool pools_rest = false;  ///< the pools have no grains in hand
  };

  /// Tells that a device ended a chunk of `grains` grains, which took `seconds` beside its fixed cost. True
  /// when throttled workers should ask again.
  bool chunk_ended(std::size_t device, double grains, double seconds, const progress& run);

  /// The share to remember; nothing when nothing was measured.
  [[nodiscard]] std::optional<double> best() const {
    return learned_ ? std::optional(shares_[best_]) : std::nullopt;
  }

 private:
  /// The rates of one window, in grains per second.
  struct rates {
    double devices = 0;
    double error = 0;  // the standard error of `devices`
    double pools = 0;
    double per_chunk = 0;  // grains that all executors do during one chunk
    [[nodiscard]] double all() const { return devices + pools; }
  };
  struct timed_grains {
    std::size_t device;
    double grains;
    double seconds;
  };
  enum class phase { solo, compare, descend, settled, trial };

  [[nodiscard]] bool measured_enough(const progress& run) const;
  [[nodiscard]] rates measured(const progress& run) const;
  [[nodiscard]] bool hopeless(const rates& seen) const;
  [[nodiscard]] bool small(double pools, double devices) const;
  bool decide(const rates& seen, const progress& run);
  bool descend_from(std::size_t step);
  bool settle(std::size_t step);
  bool try_a_neighbour(const rates& seen, const progress& run);
  bool go_to(std::size_t step, phase doing);
  [[nodiscard]] static bool better(double one, double than, const rates& a, const rates& b);

  std::vector<double> shares_;  // falling; the last is 0
  std::size_t planned_ = 0;     // the step that leaves cores to devices
  std::size_t step_ = 0;
  std::size_t best_ = 0;
  phase doing_ = phase::settled;
  bool begun_ = false;
  bool learns_;
  bool remembers_;
  bool learned_ = false;
  std::vector<std::optional<rates>> seen_;  // the last measurement of each step
  unsigned windows_ = 0;                    // since the search settled
  unsigned patience_ = 1;                   // the wait for the next trial, as a multiple of the first wait
  bool up_ = false;                         // whether the next trial has more workers

  unsigned skip_ = 0;  // chunks to ignore, because they began before the window
  double opened_ = 0;
  double pool_grains_then_ = 0;
  std::vector<timed_grains> chunks_;  // chunks of the window
  std::vector<std::size_t> devices_;  // devices that have ended a chunk

  std::atomic<double> share_;
  std::atomic<double> solo_until_{0};
};

}  // namespace duomap::scheduler
