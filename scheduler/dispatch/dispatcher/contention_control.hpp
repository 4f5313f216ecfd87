// Decides which workers of the pools are throttled for devices.
#pragma once

#include "core/config.hpp"
#include "scheduler/dispatch/dispatcher/contention_search.hpp"
#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/dispatch/dispatcher/finish_estimate.hpp"
#include "scheduler/dispatch/dispatcher/solo_warm_up.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace duomap::scheduler {

/// Makes the search for the best number of workers beside the devices of a run (contention_search.hpp).
[[nodiscard]] contention_search contention_search_of(const std::vector<executor_config>& all,
                                                     dispatch_rule rule);

/// While devices are at work, lets only the best number of each pool's workers take grains. The search for
/// that number (contention_search.hpp) is told when devices begin, and how much each executor has done when a
/// device's chunk ends.
///
/// Threads: any thread may call may_claim(), next_turn(), call_workers(), calls_workers() and
/// pool_chunk_ended(), without a lock. The methods that begin with `device_`, and explores(), are called with
/// the dispatcher's mutex held, which guards the search. The counts of workers are relaxed, because one
/// worker too many or too few does no harm for the length of a claim.
class contention_control {
 public:
  contention_control(const executor_table& all, const finish_estimator& estimates,
                     const solo_warm_up& warm_up, contention_search& co_run, const dispatch_options& how);

  /// Whether a worker of a pool goes on taking grains. `in`: whether it took part before; at first it did
  /// not. `left`: the number of grains that it may take.
  [[nodiscard]] bool may_claim(unsigned pool, bool in, std::uint32_t left, double now);
  /// The time at which a throttled worker should ask again.
  [[nodiscard]] double next_turn(double now) const noexcept;

  /// Says that throttled workers should ask again.
  void call_workers() noexcept { calls_workers_.store(true, std::memory_order_relaxed); }
  /// True once after call_workers().
  [[nodiscard]] bool calls_workers() noexcept {
    return calls_workers_.load(std::memory_order_relaxed) &&
           calls_workers_.exchange(false, std::memory_order_relaxed);
  }

  struct progress {
    double now = 0;
    double pool_grains = 0;         ///< grains done by pools
    std::uint32_t free_grains = 0;  ///< grains that no executor has
  };

  void device_claimed(unsigned device, const progress& run);
  /// Tells that a device gets no grains now. The workers that were throttled for it may go on.
  void device_waits(unsigned device);
  /// Tells that a device of known rate has ended a chunk.
  void device_chunk_ended(unsigned device, double grains, double seconds, const progress& run);
  void pool_chunk_ended(unsigned pool, double grains, double seconds, double now);

  /// Whether the search is still looking for the first good number of workers.
  [[nodiscard]] bool explores() const noexcept;

 private:
  struct presence {
    // The number of a pool's workers that are not throttled.
    alignas(cache_separation) std::atomic<unsigned> in{0};
    // These two are for a device, and guarded by the dispatcher's mutex.
    bool was_solo = false;     // it worked alone when its last chunk ended
    bool was_at_work = false;  // it was at work at its last claim, and workers were not called since
  };

  void begin(const progress& run);
  [[nodiscard]] bool devices_start() const noexcept;
  [[nodiscard]] bool is_solo(unsigned device, double now) const noexcept;

  const executor_table& all_;
  const finish_estimator& estimates_;
  const solo_warm_up& warm_up_;
  contention_search& measured_;  // any thread calls share() and solo_until(); the mutex guards the rest
  const bool adapts_;
  const double hold_back_seconds_;
  const unsigned reserved_;
  std::vector<presence> each_;  // has one element per executor
  std::atomic<bool> calls_workers_{false};
};

}  // namespace duomap::scheduler
