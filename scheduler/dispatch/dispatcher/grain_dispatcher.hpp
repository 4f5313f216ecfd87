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
    take,  ///< the worker has got `grains`
    wait,  ///< no grains for now; ask again at `until`, or when something has changed
    end,   ///< no more grains: all are taken, and none can come back
  };
  what then = what::end;
  grain_range grains = {};
  double until = 0;
  /// The executor that is expected to do the rest. Its workers that wait should ask again now.
  std::optional<unsigned> relies_on = std::nullopt;
};

/// Knows the grains of an input, the executors that hold them, and the speed of every executor. The same
/// class decides in real and in simulated runs: its callers pass the time, in seconds since the run began.
///
/// A grain is free, or one executor has claimed it. A pool finishes each grain that it has claimed, or the
/// run fails. A device's claim is on record until it is committed. If the device is lost, the grains of its
/// claims are free again. So each grain is committed exactly once, whichever executor fails at any moment.
///
/// The class only connects parts that have one job each:
/// - grain_queue: the grains that no executor has;
/// - device_ledger: the grains that devices have claimed and not committed;
/// - executor_state, with executor_rate and calibration_ramp: the progress and the speed of each executor;
/// - finish_estimator: when the rest would be done; claim_sizes: how many grains a claim takes;
/// - device_start, overdue and give_back_request: whether a device is started, has timed out, or is asked for
///   grains;
/// - solo_warm_up: the beginning of a run, which the pools leave to devices;
/// - contention_control: which workers of the pools are throttled for devices later.
///
/// Threads: any. Unless said otherwise, only a worker of executor `index` calls a method with that parameter.
/// A pool's claim takes no lock: it does one compare-and-swap on the interval, and reads the others' speeds
/// relaxed. A device's claim, a thousand times less frequent, is recorded under a mutex. The mutex guards the
/// ledger, and other data that says so. While it is held, only the queue's own mutex is locked.
class grain_dispatcher {
 public:
  /// `configs` has at most `most_executors` entries.
  grain_dispatcher(std::uint32_t grains, const std::vector<executor_config>& configs,
                   dispatch_options how = {});

  /// For devices, before their first claim: whether it pays to start the device now. False may become true
  /// later.
  [[nodiscard]] bool starts(unsigned index, double now);
  /// For devices, before starts() is true: another thread is starting the device, and from now on the start
  /// takes `seconds`. A time above the earlier estimate does not count.
  void start_takes(unsigned index, double seconds, double now) noexcept;
  /// Tells when to ask starts() again, or that no grains are left for the device.
  [[nodiscard]] claim ask_later(unsigned index, double now) const;
  void started(unsigned index, double now);

  /// For pools: whether a worker goes on taking grains. False: it is throttled, because devices are at work
  /// (contention_search.hpp). `in`: whether it took part before; at first it did not.
  [[nodiscard]] bool may_claim(unsigned index, bool in, double now);
  /// Whether pools are still held back for devices.
  [[nodiscard]] bool pools_held_back(double now) const noexcept { return warm_up_.pools_held_back(now); }
  /// The time at which a throttled worker should ask again.
  [[nodiscard]] double next_turn(double now) const noexcept { return contention_.next_turn(now); }
  /// True once after throttled workers were told to ask again.
  [[nodiscard]] bool calls_workers() noexcept { return contention_.calls_workers(); }
  /// The executor_model::co_run_share for the next run. No value: it was not measured.
  [[nodiscard]] std::optional<double> co_run_share() const;

  /// The next grains for a worker of executor `index`.
  [[nodiscard]] claim next(unsigned index, double now);
  /// The largest chunk, in grains, for a pool that prefers adjacent chunks.
  [[nodiscard]] std::uint32_t chunk_of_pool(unsigned index) const noexcept {
    return sizes_.chunk_of_pool(index);
  }

  /// Tells that a worker did a part of a claim in `seconds`. False: the device was lost meanwhile, so the
  /// part does not count.
  bool finished(unsigned index, grain_range grains, double seconds, double now);

  /// For devices: block_call_begins() tells that the worker gives the device a block of a stream, or begins
  /// to wait for the end of a block. block_call_ends() tells that the worker has done so.
  void block_call_begins(unsigned index, double now) noexcept;
  void block_call_ends(unsigned index, double now) noexcept;

  /// For devices: commits() tells that a commit of all finished grains begins, and committed() that the
  /// commit has ended. Both return false if the device was lost before. A device that commits has no
  /// unfinished claim.
  [[nodiscard]] bool commits(unsigned index, double now);
  bool committed(unsigned index);

  /// For devices: the device had no memory for some grains at the end of its last claim. These grains are
  /// free again. The device gets smaller claims, then holds fewer claims at a time. False: this does not
  /// help, so the device gets no more grains, but may still commit its finished grains.
  bool refused(unsigned index, grain_range grains);

  /// For devices: whether an executor without work could do the device's newest claim sooner, and has asked
  /// for it in next(). True once for each such request.
  [[nodiscard]] bool wanted_back(unsigned index) noexcept;
  /// For devices: gives grains at the end of the last claim back to the others.
  void returned(unsigned index, grain_range grains);

  /// Tells that a device is lost, as its worker has found out. Its uncommitted grains are free again.
  void failed(unsigned index);

  /// A device that can time out and holds its grains for too long. Any thread may call it.
  [[nodiscard]] std::optional<unsigned> overdue(double now) const;
  /// If the device is still overdue, it gets no more grains, and further calls of its worker do not count.
  /// The thread that gets true then abandons the device, and tells timed_out() the number of its commits that
  /// count. Any thread may call it.
  [[nodiscard]] bool time_out(unsigned index, double now);
  /// Tells the number of commits of an abandoned device that count. True: a commit in progress counts.
  bool timed_out(unsigned index, std::uint64_t commits);

  [[nodiscard]] unsigned depth(unsigned index) const noexcept {
    return all_[index].depth.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool holds_uncommitted(unsigned index) const;
  [[nodiscard]] bool takes_part(unsigned index) const noexcept { return all_[index].takes_part(); }
  [[nodiscard]] bool others_take_part(unsigned index) const noexcept { return all_.others_take_part(index); }
  [[nodiscard]] bool has_failed(unsigned index) const noexcept { return all_[index].has_failed(); }

  /// Whether every grain is finished and safe. To be called when all workers have ended.
  [[nodiscard]] bool complete() const;

  /// The number of free grains. It may be out of date when the function returns.
  [[nodiscard]] std::uint32_t free_grains() const noexcept { return queue_.free_grains(); }
  /// The measured rates of one worker of executor `index`: beside the others, and without them.
  [[nodiscard]] const rate_estimator& measured(unsigned index) const noexcept {
    return all_[index].rate.measured();
  }
  [[nodiscard]] const rate_estimator& measured_solo(unsigned index) const noexcept {
    return all_[index].rate.measured_solo();
  }
  /// The seconds per grain of a device in a solo warm-up; 0: there was none.
  [[nodiscard]] double seen_solo(unsigned index) const noexcept { return all_[index].rate.solo_warm_up(); }
  /// Whether measured() is the rate of the executor, and not the cost of a device's first chunks.
  [[nodiscard]] bool rate_is_found(unsigned index) const;

 private:
  // Gives a claim's grains to the worker.
  [[nodiscard]] claim record(executor_state& one, grain_range grains, double now) const;
  [[nodiscard]] claim next_of_device(unsigned index, double now);
  [[nodiscard]] claim nothing_left(unsigned index, double now) const;
  [[nodiscard]] grain_range take(unsigned index, std::uint32_t grains);
  // The mutex must be held when these three functions are called.
  [[nodiscard]] contention_control::progress progress(double now) const noexcept;
  void cut_off(unsigned index, grain_range grains);
  void give_all_back(unsigned index, bool committing_too);

  const dispatch_options how_;
  executor_table all_;
  grain_queue queue_;
  mutable std::mutex mutex_;
  device_ledger ledger_;  // guarded by mutex_
  // A member that others refer to stands before them.
  contention_search co_run_;  // any thread calls share() and solo_until(); mutex_ guards the rest
  solo_warm_up warm_up_;
  finish_estimator estimates_;
  contention_control contention_;
  claim_sizes sizes_;
};

}  // namespace duomap::scheduler
