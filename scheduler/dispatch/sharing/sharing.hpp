// Which executor takes which grains: every decision of a run, without threads and without a clock.
#pragma once

#include "scheduler/dispatch/sharing/claim.hpp"
#include "scheduler/dispatch/sharing/claim_size.hpp"
#include "scheduler/dispatch/sharing/contention_control.hpp"
#include "scheduler/dispatch/sharing/device_ledger.hpp"
#include "scheduler/dispatch/sharing/executor_state.hpp"
#include "scheduler/dispatch/sharing/finish_estimate.hpp"
#include "scheduler/dispatch/sharing/first_look.hpp"
#include "scheduler/dispatch/sharing/grain_queue.hpp"
#include "scheduler/dispatch/sharing/interference.hpp"
#include "scheduler/dispatch/sharing/pace.hpp"
#include "scheduler/dispatch/sharing/participant.hpp"
#include "scheduler/dispatch/sharing/sharing_options.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace duomap::scheduler {

/// The grains of an input, which executor has them, and how fast every executor is. The same object decides
/// in real runs and in simulated ones: it is told the time (in seconds since the run began) and never asks
/// for it.
///
/// A grain is free, or one executor has claimed it. What a pool has claimed it will finish, or the run fails.
/// What a device has claimed is on record until it is committed; when the device is lost it is free again.
/// So each grain is committed exactly once, whichever executor fails when.
///
/// It is the front of pieces with one job each, and the one place where they meet:
/// - grain_queue: the grains that no executor has;
/// - device_ledger: what devices have claimed and not committed;
/// - executor_state, with executor_rate and device_trial: where each executor stands and how fast it is;
/// - finish_estimator: when what is left would be done; claim_sizes: how many grains a claim takes from that;
/// - device_start, overdue and give_back_request: whether to start a device, to give it up, to ask it for
///   grains;
/// - first_look: the beginning, which the pools leave to devices; contention_control: which workers of pools
///   stand aside for them later.
///
/// Who calls: any thread; the methods that name an executor `who`, only a worker of it, unless said
/// otherwise. Claims of pools take no lock: one compare-and-swap on the interval, and relaxed reads of how
/// fast the others are. Claims of devices, a thousand times fewer, are put on record under a mutex. The mutex
/// guards the ledger and what the contracts of the pieces say; the queue's own is the only one that is locked
/// under it.
class sharing {
 public:
  /// At most `most_executors` participants.
  sharing(std::uint32_t grains, const std::vector<participant>& who, sharing_options how = {});

  /// Devices, before their first claim: whether the device is to be started now, because that is worth its
  /// time. False may become true.
  [[nodiscard]] bool starts(unsigned who, double now);
  /// Devices, before that: starting the device takes no longer than so many seconds, because others start it
  /// too.
  void start_takes(unsigned who, double seconds) noexcept;
  /// When to ask again, or that there is nothing left to start it for.
  [[nodiscard]] claim ask_later(unsigned who, double now) const;
  void started(unsigned who, double now);

  /// Pools: whether a worker goes on taking grains, or stands aside because devices are at work
  /// (interference.hpp). `in`: whether it took part before; at first it does not.
  [[nodiscard]] bool takes_turn(unsigned who, bool in, double now);
  /// Whether pools still leave everything to devices.
  [[nodiscard]] bool pools_stand_by(double now) const noexcept { return look_.pools_stand_by(now); }
  /// When a worker that stands aside should look again.
  [[nodiscard]] double next_turn(double now) const noexcept { return contention_.next_turn(now); }
  /// True once after workers that stand aside should look again.
  [[nodiscard]] bool calls_workers() noexcept { return contention_.calls_workers(); }
  /// For executor_model::beside of the next run; nothing when nothing was measured.
  [[nodiscard]] std::optional<double> beside() const;

  /// The next grains for a worker of `who`.
  [[nodiscard]] claim next(unsigned who, double now);

  /// Part of what was claimed is done; it took the worker `seconds`. False when the device was lost in
  /// between: then it does not count.
  bool finished(unsigned who, grain_range grains, double seconds, double now);

  /// Devices: what is finished is about to be committed, and was. Both are false when the device has been
  /// lost before. A device commits with no claim unfinished.
  [[nodiscard]] bool commits(unsigned who, double now);
  bool committed(unsigned who);

  /// Devices: grains at the end of the last claim were refused for lack of memory. They are free again, and
  /// the device gets smaller claims, then fewer at a time. False: it cannot do with less and gets none any
  /// more; what it has finished it may still commit.
  bool refused(unsigned who, grain_range grains);

  /// Devices: whether others that have nothing to do could do the newest of its claims sooner. Asked for by
  /// next() of those others; true once for each time.
  [[nodiscard]] bool wanted_back(unsigned who) noexcept;
  /// Devices: grains at the end of the last claim will not be done, because others want them.
  void returned(unsigned who, grain_range grains);

  /// A device is lost, as its worker has found out: what it had not committed is free again.
  void lost(unsigned who);

  /// A device that can be given up and has had grains for so long that somebody else should do them. Any
  /// thread.
  [[nodiscard]] std::optional<unsigned> overdue(double now) const;
  /// If it still is, it gets no grains any more, and what its worker says does not count any more. The
  /// thread that was told true then abandons it, and says how many of its commits count. Any thread.
  [[nodiscard]] bool give_up(unsigned who, double now);
  /// True when a commit that had begun is among them.
  bool given_up(unsigned who, std::uint64_t commits);

  [[nodiscard]] unsigned depth(unsigned who) const noexcept {
    return all_[who].depth.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool holds_uncommitted(unsigned who) const;
  /// Whether it may still get grains.
  [[nodiscard]] bool takes_part(unsigned who) const noexcept { return all_[who].takes_part(); }
  /// Whether somebody else may still get grains.
  [[nodiscard]] bool others_take_part(unsigned who) const noexcept { return all_.others_take_part(who); }
  [[nodiscard]] bool was_lost(unsigned who) const noexcept { return all_[who].is_lost(); }

  /// Whether every grain is finished and safe. To be asked when all workers have ended.
  [[nodiscard]] bool complete() const;

  /// Grains nobody has; already out of date when it returns.
  [[nodiscard]] std::uint32_t free_grains() const noexcept { return queue_.free_grains(); }
  /// One worker's pace of `who`, as measured so far; and while no other executor was at work.
  [[nodiscard]] const pace& measured(unsigned who) const noexcept { return all_[who].rate.measured(); }
  [[nodiscard]] const pace& measured_alone(unsigned who) const noexcept {
    return all_[who].rate.measured_alone();
  }
  /// Seconds per grain of a device in a first look (sharing_options); 0: there was none.
  [[nodiscard]] double seen_alone(unsigned who) const noexcept { return all_[who].rate.first_look(); }
  /// Whether that is its pace, and not what a device's first chunks cost.
  [[nodiscard]] bool pace_is_found(unsigned who) const;

 private:
  // Grains of a claim are the worker's.
  [[nodiscard]] claim record(executor_state& one, grain_range grains, double now) const;
  [[nodiscard]] claim next_of_device(unsigned who, double now);
  [[nodiscard]] claim nothing_left(unsigned who, double now) const;
  [[nodiscard]] grain_range take(unsigned who, std::uint32_t grains);
  // Called with mutex_ held, these three.
  [[nodiscard]] contention_control::progress progress(double now) const noexcept;
  void cut_off(unsigned who, grain_range grains);
  void give_all_back(unsigned who, bool committing_too);

  const sharing_options how_;
  executor_table all_;
  grain_queue queue_;
  mutable std::mutex mutex_;
  device_ledger ledger_;  // guarded by mutex_
  // What the rest refers to comes first.
  interference beside_;  // share() and alone_until(): any thread; the rest: guarded by mutex_
  first_look look_;
  finish_estimator estimates_;
  contention_control contention_;
  claim_sizes sizes_;
};

}  // namespace duomap::scheduler
