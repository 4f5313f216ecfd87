// Decides which executor takes which grains, without threads and without a clock.
#pragma once

#include "scheduler/dispatch/dispatcher/claim_size.hpp"
#include "scheduler/dispatch/dispatcher/contention_control.hpp"
#include "scheduler/dispatch/dispatcher/contention_search.hpp"
#include "scheduler/dispatch/dispatcher/device_ledger.hpp"
#include "scheduler/dispatch/dispatcher/dispatch_options.hpp"
#include "scheduler/dispatch/dispatcher/executor_config.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"
#include "scheduler/dispatch/dispatcher/finish_estimate.hpp"
#include "scheduler/dispatch/dispatcher/grain_queue.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"
#include "scheduler/dispatch/dispatcher/rate_estimator.hpp"
#include "scheduler/dispatch/dispatcher/solo_warm_up.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace duomap::scheduler {

/// The next step of a worker that asks for grains.
struct claim {
  enum class what {
    take,  ///< `grains` are the worker's
    wait,  ///< no grains now; ask again at `until`, or when something has changed
    end,   ///< no more grains: all are taken, and none can come back
  };
  what then = what::end;
  grain_range grains = {};
  double until = 0;
  /// The executor that is expected to do the rest: if its workers wait, they should ask again now.
  std::optional<unsigned> relies_on = std::nullopt;
};

/// Has the grains of an input, the executors that hold them, and the speed of every executor. The same class
/// decides in real runs and in simulated ones: its callers pass the time (in seconds since the run began).
///
/// A grain is free, or one executor has claimed it. A pool finishes each grain that it has claimed, or the
/// run fails. A device's claim is on record until it is committed; if the device is lost, its grains are free
/// again. So each grain is committed exactly once, whichever executor fails at which moment.
///
/// It is the facade of parts with one job each, and the only place where they meet:
/// - grain_queue: the grains that no executor has;
/// - device_ledger: the grains that devices have claimed and not committed;
/// - executor_state, with executor_rate and calibration_ramp: the progress and the speed of each executor;
/// - finish_estimator: when the rest would be done; claim_sizes: how many grains a claim takes;
/// - device_start, overdue and give_back_request: whether a device is started, has timed out, or is asked for
///   grains;
/// - solo_warm_up: the beginning of a run, which the pools leave to devices;
/// - contention_control: which workers of the pools are throttled for devices later.
///
/// Threads: any. Only a worker of executor `index` calls a method with that parameter, unless said otherwise.
/// Claims of pools take no lock: one compare-and-swap on the interval, and relaxed reads of the others'
/// speeds. Claims of devices, a thousand times fewer, are put on record under a mutex. The mutex guards the
/// ledger and the data that the contracts of the parts name. Only the queue's own mutex is locked under it.
class grain_dispatcher {
 public:
  /// `configs` has at most `most_executors` entries.
  grain_dispatcher(std::uint32_t grains, const std::vector<executor_config>& configs,
                   dispatch_options how = {});

  /// For devices, before their first claim: whether to start the device now, because that pays. False may
  /// become true.
  [[nodiscard]] bool starts(unsigned index, double now);
  /// For devices, before starts() is true: other threads start the device, too, and from now on that takes
  /// `seconds`. A time above the earlier estimate does not count.
  void start_takes(unsigned index, double seconds, double now) noexcept;
  /// Tells when to ask starts() again, or that no grains are left for which the device could start.
  [[nodiscard]] claim ask_later(unsigned index, double now) const;
  void started(unsigned index, double now);

  /// For pools: whether a worker goes on taking grains, or is throttled because devices are at work
  /// (contention_search.hpp). `in`: whether it took part before; at first it did not.
  [[nodiscard]] bool takes_turn(unsigned index, bool in, double now);
  /// Whether pools still leave everything to devices.
  [[nodiscard]] bool pools_held_back(double now) const noexcept { return warm_up_.pools_held_back(now); }
  /// The time at which a throttled worker should ask again.
  [[nodiscard]] double next_turn(double now) const noexcept { return contention_.next_turn(now); }
  /// True once after throttled workers were called.
  [[nodiscard]] bool calls_workers() noexcept { return contention_.calls_workers(); }
  /// The executor_model::co_run_share for the next run; nothing when nothing was measured.
  [[nodiscard]] std::optional<double> co_run_share() const;

  /// The next grains for a worker of executor `index`.
  [[nodiscard]] claim next(unsigned index, double now);
  /// The largest chunk of a claim, in grains, for a pool that prefers adjacent chunks.
  [[nodiscard]] std::uint32_t chunk_of_pool(unsigned index) const noexcept {
    return sizes_.chunk_of_pool(index);
  }

  /// Tells that a worker did a part of a claim in `seconds`. False when the device was lost in between; the
  /// part then does not count.
  bool finished(unsigned index, grain_range grains, double seconds, double now);

  /// For devices: at_block() tells that the worker gives the device a block of a stream or waits for the end
  /// of a block, and left_block() that it has done so.
  void at_block(unsigned index, double now) noexcept;
  void left_block(unsigned index, double now) noexcept;

  /// For devices: commits() tells that a commit of all finished grains begins, and committed() that the
  /// commit has ended. Both return false when the device was lost before. A device has no unfinished claim
  /// when it commits.
  [[nodiscard]] bool commits(unsigned index, double now);
  bool committed(unsigned index);

  /// For devices: grains at the end of the last claim were refused for lack of memory. They are free again,
  /// and the device gets smaller claims, then holds fewer at a time. False: less does not help, and the
  /// device gets no more grains; it may still commit its finished grains.
  bool refused(unsigned index, grain_range grains);

  /// For devices: whether an executor without work could do the newest claim sooner. next() of that executor
  /// asks for the claim; true once for each request.
  [[nodiscard]] bool wanted_back(unsigned index) noexcept;
  /// For devices: gives back grains at the end of the last claim, because others want them.
  void returned(unsigned index, grain_range grains);

  /// A device's worker has found out that the device is lost. Its uncommitted grains are free again.
  void failed(unsigned index);

  /// A device that can time out and has had its grains for too long. Any thread may call it.
  [[nodiscard]] std::optional<unsigned> overdue(double now) const;
  /// If the device is still overdue, it gets no more grains, and calls of its worker do not count any more.
  /// The thread that gets true then abandons the device and tells timed_out() how many of its commits count.
  /// Any thread may call it.
  [[nodiscard]] bool time_out(unsigned index, double now);
  /// Tells how many commits of an abandoned device count. True when a commit that had begun counts.
  bool timed_out(unsigned index, std::uint64_t commits);

  [[nodiscard]] unsigned depth(unsigned index) const noexcept {
    return all_[index].depth.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool holds_uncommitted(unsigned index) const;
  /// Whether the executor may still get grains.
  [[nodiscard]] bool takes_part(unsigned index) const noexcept { return all_[index].takes_part(); }
  /// Whether another executor may still get grains.
  [[nodiscard]] bool others_take_part(unsigned index) const noexcept { return all_.others_take_part(index); }
  [[nodiscard]] bool has_failed(unsigned index) const noexcept { return all_[index].has_failed(); }

  /// Whether every grain is finished and safe. Called when all workers have ended.
  [[nodiscard]] bool complete() const;

  /// The number of free grains; already out of date when it returns.
  [[nodiscard]] std::uint32_t free_grains() const noexcept { return queue_.free_grains(); }
  /// The measured rate of one worker of executor `index`: beside the others, and while no other executor was
  /// at work.
  [[nodiscard]] const rate_estimator& measured(unsigned index) const noexcept {
    return all_[index].rate.measured();
  }
  [[nodiscard]] const rate_estimator& measured_solo(unsigned index) const noexcept {
    return all_[index].rate.measured_solo();
  }
  /// Seconds per grain of a device in a solo warm-up (dispatch_options); 0: there was none.
  [[nodiscard]] double seen_solo(unsigned index) const noexcept { return all_[index].rate.solo_warm_up(); }
  /// Whether measured() is the executor's rate, and not the cost of a device's first chunks.
  [[nodiscard]] bool rate_is_found(unsigned index) const;

 private:
  // Puts a claim's grains into the worker's hands.
  [[nodiscard]] claim record(executor_state& one, grain_range grains, double now) const;
  [[nodiscard]] claim next_of_device(unsigned index, double now);
  [[nodiscard]] claim nothing_left(unsigned index, double now) const;
  [[nodiscard]] grain_range take(unsigned index, std::uint32_t grains);
  // mutex_ is held when these three functions are called.
  [[nodiscard]] contention_control::progress progress(double now) const noexcept;
  void cut_off(unsigned index, grain_range grains);
  void give_all_back(unsigned index, bool committing_too);

  const dispatch_options how_;
  executor_table all_;
  grain_queue queue_;
  mutable std::mutex mutex_;
  device_ledger ledger_;  // guarded by mutex_
  // A member to which others refer stands before them.
  contention_search co_run_;  // share() and solo_until(): any thread; the rest: guarded by mutex_
  solo_warm_up warm_up_;
  finish_estimator estimates_;
  contention_control contention_;
  claim_sizes sizes_;
};

}  // namespace duomap::scheduler
