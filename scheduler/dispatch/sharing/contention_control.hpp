// Which workers of the pools stand aside for devices.
#pragma once

#include "core/config.hpp"
#include "scheduler/dispatch/sharing/executor_state.hpp"
#include "scheduler/dispatch/sharing/finish_estimate.hpp"
#include "scheduler/dispatch/sharing/first_look.hpp"
#include "scheduler/dispatch/sharing/interference.hpp"
#include "scheduler/dispatch/sharing/sharing_options.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace duomap::scheduler {

/// How many workers of which pools are good beside the devices of a run, to begin with (interference.hpp).
[[nodiscard]] interference interference_of(const std::vector<participant>& all, sharing_rule rule);

/// Lets as many workers of each pool take grains as is best while devices are at work, and tells the
/// measurement of that (interference.hpp) what it needs: when devices begin, and what all have done when one
/// of their chunks ends. It also remembers that workers which stand aside are to be called.
///
/// Who calls: takes_turn(), next_turn(), call_workers(), calls_workers() and pool_chunk_ended() any thread,
/// without a lock; the methods that begin with `device_`, and explores(), with the mutex of sharing held,
/// which guards the measurement. Counts of workers are relaxed: a worker too many or too few for the length
/// of a claim does no harm.
class contention_control {
 public:
  contention_control(const executor_table& all, const finish_estimator& estimates, const first_look& look,
                     interference& beside, const sharing_options& how);

  /// Whether a worker of a pool goes on taking grains, of which it may take `left`. `in`: whether it took
  /// part before; at first it does not.
  [[nodiscard]] bool takes_turn(unsigned pool, bool in, std::uint32_t left, double now);
  /// When a worker that stands aside should look again.
  [[nodiscard]] double next_turn(double now) const noexcept;

  /// Workers that stand aside should look again.
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
  /// A device gets none now: workers that stood aside for it need not any more.
  void device_waits(unsigned device);
  /// A device whose pace is known ended a chunk.
  void device_chunk_ended(unsigned device, double grains, double seconds, const progress& run);
  /// A worker of a pool ended a claim.
  void pool_chunk_ended(unsigned pool, double grains, double seconds, double now);

  /// Whether it is not clear yet how many workers are good beside devices.
  [[nodiscard]] bool explores() const noexcept;

 private:
  struct presence {
    // Workers of a pool that do not stand aside.
    alignas(cache_separation) std::atomic<unsigned> in{0};
    // Of a device; guarded by the mutex of sharing.
    bool was_alone = false;    // when it ended its last chunk
    bool was_at_work = false;  // since workers were called
  };

  void begin(const progress& run);
  [[nodiscard]] bool is_alone(unsigned device, double now) const noexcept;

  const executor_table& all_;
  const finish_estimator& estimates_;
  const first_look& look_;
  interference& measured_;  // share() and alone_until(): any thread; the rest: guarded by the mutex
  const bool adapts_;
  const double stand_by_seconds_;
  std::vector<presence> each_;  // does not change its length
  std::atomic<bool> calls_workers_{false};
};

}  // namespace duomap::scheduler
