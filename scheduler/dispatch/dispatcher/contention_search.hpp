// Searches for the best number of pool workers while devices are at work.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

namespace duomap::scheduler {

/// Workers of a pool can cost a device more than they do themselves: they take the cores that feed the
/// device, and memory bandwidth (decision 10). So the search measures the rate of all executors together with
/// several numbers of workers, and keeps the best number. It knows five numbers: all workers, the workers
/// that are left when devices get their cores, half and a quarter of these, and none.
///
/// If nothing is remembered of the task, the search begins with no workers and measures the devices' first
/// small chunks. Then it measures with the second number. If that makes the devices slower, it tries fewer
/// workers. Later it rarely tries the numbers next to the best one, to notice changes.
///
/// Callers pass the time and the grains. Threads: chunk_ended() is called under one lock; any thread may call
/// share().
class contention_search {
 public:
  /// `idle`: the number of the pools' `workers` that leave their cores to devices. `remembered`: the share of
  /// workers that was best in earlier runs, if known. `learns`: whether to begin with no workers.
  contention_search(unsigned workers, unsigned idle, std::optional<double> remembered, bool learns);

  /// The share of the workers that should work beside devices. The load is relaxed: a thread that sees the
  /// change late obeys it one chunk later.
  [[nodiscard]] double share(double now) const noexcept {
    return solo_until() > now ? 0 : share_.load(std::memory_order_relaxed);
  }

  /// The latest time until which devices work alone. It is in the past if they do not work alone.
  [[nodiscard]] double solo_until() const noexcept { return solo_until_.load(std::memory_order_relaxed); }

  /// Whether the search is still looking for its first number. Call it under the lock of chunk_ended().
  [[nodiscard]] bool explores() const noexcept { return doing_ < phase::settled; }

  /// Whether begins() was called. Call it under the lock of chunk_ended().
  [[nodiscard]] bool begun() const noexcept { return begun_ || shares_.size() < 2; }

  /// The state of the run when devices begin.
  struct outlook {
    unsigned open = 0;       ///< chunks that devices may still begin before the pools rest
    double pool_grains = 0;  ///< grains done by pools so far
    double pool_rate =
        0;  ///< rate of all pool workers, in grains per second; this and the next are 0 if not known
    double device_rate = 0;
    bool measured_solo =
        false;  ///< the pools were held back until now, so device_rate is the devices' solo rate
    double now = 0;
  };

  /// Tells that the first device of known rate is about to get chunks. If nothing is remembered, the devices
  /// work alone until their rate is measured, but no longer than `most_seconds`.
  void begins(double most_seconds, const outlook& run);

  struct progress {
    double now = 0;
    double pool_grains = 0;   ///< grains done by pools
    double left = 0;          ///< free grains
    unsigned open = 0;        ///< chunks that devices have in hand
    bool pools_rest = false;  ///< the pools have no grains in hand
  };

  /// Tells that a device ended a chunk of `grains` grains, which took `seconds` without its fixed cost. True:
  /// throttled workers should ask again.
  bool chunk_ended(std::size_t device, double grains, double seconds, const progress& run);

  /// The best share of workers, to be remembered. No value: nothing was measured.
  [[nodiscard]] std::optional<double> best() const {
    return learned_ ? std::optional(shares_[best_]) : std::nullopt;
  }

 private:
  /// The rates of one window, in grains per second.
  struct rates {
    double devices = 0;
    double error = 0;  // the standard error of `devices`
    double pools = 0;
    double per_chunk = 0;  // grains that all executors do during one chunk of a device
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

  std::vector<double> shares_;  // numbers of workers as shares, from the largest to 0
  std::size_t planned_ = 0;     // index of the number that leaves cores to devices
  std::size_t step_ = 0;
  std::size_t best_ = 0;
  phase doing_ = phase::settled;
  bool begun_ = false;
  bool learns_;
  bool remembers_;
  bool learned_ = false;
  std::vector<std::optional<rates>> seen_;  // the last measurement of each share
  unsigned windows_ = 0;                    // windows since the search settled
  unsigned patience_ = 1;                   // the wait before the next trial, as a multiple of the first wait
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
