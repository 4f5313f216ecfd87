// Which workers of the pools are throttled for devices.
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

/// How many workers of which pools are good beside the devices of a run, to begin with
/// (contention_search.hpp).
[[nodiscard]] contention_search contention_search_of(const std::vector<executor_config>& all,
                                                     dispatch_rule rule);

/// Lets as many workers of each pool take grains as is best while devices are at work, and tells the
/// measurement of that (contention_search.hpp) what it needs: when devices begin, and what all have done when
/// one of their chunks ends. It also remembers that workers which are throttled are to be called.
///
/// Threads: takes_turn(), next_turn(), call_workers(), calls_workers() and pool_chunk_ended() any thread,
/// without a lock; the methods that begin with `device_`, and explores(), with the dispatcher's mutex held,
/// which guards the measurement. Counts of workers are relaxed: a worker too many or too few for the length
/// of a claim does no harm.
class contention_control {
 public:
  contention_control(const executor_table& all, const finish_estimator& estimates,
                     const solo_warm_up& warm_up, contention_search& co_run, const dispatch_options& how);

  /// Whether a worker of a pool goes on taking grains, of which it may take `left`. `in`: whether it took
  /// part before; at first it does not.
  [[nodiscard]] bool takes_turn(unsigned pool, bool in, std::uint32_t left, double now);
  /// When a worker that is throttled should look again.
  [[nodiscard]] double next_turn(double now) const noexcept;

  /// Workers that are throttled should look again.
  void call_workers() noexcept { calls_workers_.store(true, std::memory_order_relaxed); }
  /// True once after that.
  [[nodiscard]] bool calls_workers() noexcept {
    return calls_workers_.load(std::memory_order_relaxed) &&
           calls_workers_.exchange(false, std::memory_order_relaxed);
  }

  /// How far the run is.
  struct progress {
    double now = 0;
    double pool_grains = 0;         ///< done by pools
    std::uint32_t free_grains = 0;  ///< that no executor has
  };

  /// A device has claimed grains.
  void device_claimed(unsigned device, const progress& run);
  /// A device gets none now: workers that were throttled for it need not be any more.
  void device_waits(unsigned device);
  /// A device whose rate is known ended a chunk.
  void device_chunk_ended(unsigned device, double grains, double seconds, const progress& run);
  /// A worker of a pool ended a claim.
  void pool_chunk_ended(unsigned pool, double grains, double seconds, double now);

  /// Whether it is not clear yet how many workers are good beside devices.
  [[nodiscard]] bool explores() const noexcept;

 private:
  struct presence {
    // Workers of a pool that are not throttled.
    alignas(cache_separation) std::atomic<unsigned> in{0};
    // Of a device; guarded by the dispatcher's mutex.
    bool was_solo = false;     // when it ended its last chunk
    bool was_at_work = false;  // since workers were called
  };

  void begin(const progress& run);
  [[nodiscard]] bool devices_start() const noexcept;
  [[nodiscard]] bool is_solo(unsigned device, double now) const noexcept;

  const executor_table& all_;
  const finish_estimator& estimates_;
  const solo_warm_up& warm_up_;
  contention_search& measured_;  // share() and solo_until(): any thread; the rest: guarded by the mutex
  const bool adapts_;
  const double hold_back_seconds_;
  const unsigned reserved_;
  std::vector<presence> each_;  // does not change its length
  std::atomic<bool> calls_workers_{false};
};

}  // namespace duomap::scheduler
