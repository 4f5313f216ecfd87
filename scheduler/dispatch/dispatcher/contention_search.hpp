// How many workers of the pools take part while devices are at work.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

namespace duomap::scheduler {

/// Workers of a pool can cost a device more than they do themselves: they take the cores that feed it, and
/// the memory's bandwidth (decision 10). So the rate of all executors together is measured with several
/// numbers of workers, and the best number is kept. The numbers are: all workers, those that leave cores to
/// the devices, half and a quarter of these, and none.
///
/// If nothing is remembered of the task, the search begins without workers while the device's first, small
/// chunks are measured. It goes on with the number that leaves cores to devices. If that makes the devices
/// slower, it tries fewer workers. Later it rarely tries the numbers next to the best one, so that it notices
/// changes.
///
/// Callers pass the time and the grains. chunk_ended() is called under one lock, share() by any thread.
class contention_search {
 public:
  /// `idle` of all the pools' `workers` are to leave their cores to devices at work. `remembered`: the share
  /// of the workers that was best before, if that is known. `learns`: whether to begin with none.
  contention_search(unsigned workers, unsigned idle, std::optional<double> remembered, bool learns);

  /// The share of the workers that should take part beside devices. Relaxed: a thread that reads it late
  /// changes a chunk later.
  [[nodiscard]] double share(double now) const noexcept {
    return solo_until() > now ? 0 : share_.load(std::memory_order_relaxed);
  }

  /// Until when devices are alone at most; in the past when they are not.
  [[nodiscard]] double solo_until() const noexcept { return solo_until_.load(std::memory_order_relaxed); }

  /// Whether it is still looking for the number to begin with; called as chunk_ended().
  [[nodiscard]] bool explores() const noexcept { return doing_ < phase::settled; }

  /// Whether begins() was called; as chunk_ended().
  [[nodiscard]] bool begun() const noexcept { return begun_ || shares_.size() < 2; }

  /// What is known when devices begin.
  struct outlook {
    unsigned open = 0;       ///< chunks that devices may have in hand before the pools rest
    double pool_grains = 0;  ///< done by pools so far
    double pool_rate = 0;    ///< of all their workers, in grains per second; 0 where not known, as the next
    double device_rate = 0;
    bool measured_solo = false;  ///< so much do devices alone, for the pools were held back until now
    double now = 0;
  };

  /// The first device whose rate is known is about to get chunks. If nothing is remembered it stays alone
  /// until its rate was measured, but no longer than for `most_seconds`.
  void begins(double most_seconds, const outlook& run);

  /// How far the run is.
  struct progress {
    double now = 0;
    double pool_grains = 0;   ///< done by pools
    double left = 0;          ///< grains nobody has
    unsigned open = 0;        ///< chunks that devices have in hand
    bool pools_rest = false;  ///< and the pools have nothing
  };

  /// One chunk, of `grains` grains, of a device ended; it took `seconds` beside its fixed cost. True when
  /// workers that are throttled should look again.
  bool chunk_ended(std::size_t device, double grains, double seconds, const progress& run);

  /// The share to be remembered; nothing when nothing was measured.
  [[nodiscard]] std::optional<double> best() const {
    return learned_ ? std::optional(shares_[best_]) : std::nullopt;
  }

 private:
  /// What was done in a while, in grains per second.
  struct rates {
    double devices = 0;
    double error = 0;  // of `devices`, its standard error
    double pools = 0;
    double per_chunk = 0;  // grains, of all together
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
  std::size_t planned_ = 0;     // the one that leaves cores to devices
  std::size_t step_ = 0;
  std::size_t best_ = 0;
  phase doing_ = phase::settled;
  bool begun_ = false;
  bool learns_;
  bool remembers_;
  bool learned_ = false;
  std::vector<std::optional<rates>> seen_;  // of each step, the last time
  unsigned windows_ = 0;                    // since settled
  unsigned patience_ = 1;                   // how many times as long as the first time it waits for a trial
  bool up_ = false;                         // the direction of the next trial

  unsigned skip_ = 0;  // chunks that were begun before
  double opened_ = 0;
  double pool_grains_then_ = 0;
  std::vector<timed_grains> chunks_;  // since then
  std::vector<std::size_t> devices_;  // that have ended any

  std::atomic<double> share_;
  std::atomic<double> solo_until_{0};
};

}  // namespace duomap::scheduler
