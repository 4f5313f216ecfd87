// Who takes which grains: every decision of a run, without threads and without a clock.
#pragma once

#include "core/config.hpp"
#include "scheduler/device_trial.hpp"
#include "scheduler/grain_model.hpp"
#include "scheduler/interference.hpp"
#include "scheduler/interval.hpp"
#include "scheduler/pace.hpp"
#include "scheduler/water_level.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// What is known of an executor before the run.
struct participant {
  unsigned workers = 1;
  /// Chunks a worker may have open.
  unsigned depth = 1;
  /// A device has one worker, takes large claims, and can be lost with all that it has not committed. The
  /// others are pools: many workers, small claims, and what is finished is safe.
  bool device = false;
  /// Grains a claim takes at most.
  std::uint32_t most_grains = 16;
  grain_model model = {};
  /// Pools: workers that are to leave their cores to devices, while those are at work.
  unsigned idle = 0;
  /// Devices: whether it can be given up while it hangs.
  bool can_be_given_up = false;
};

/// How grains are shared.
enum class sharing_rule {
  /// Each device eats an interval of its own from the low end, pools and idle devices eat from the high end
  /// of the one that would take longest; claims shrink towards the meeting point, which is the split.
  converging,
  /// Each executor has an interval of its own, set beforehand, and touches no other.
  split,
  /// One queue of packets of one size.
  packets,
  /// One queue; a packet is a part of what is left that goes with the executor's speed (HGuided of EngineCL).
  guided,
};

struct sharing_options {
  sharing_rule rule = sharing_rule::converging;
  /// `split`: the share of each executor; they add up to 1.
  std::vector<double> shares = {};
  /// `packets`: how many there are.
  std::uint32_t packets = 50;
  /// A device is overdue with a chunk, a commit or its start, when that takes 10 times as long as expected
  /// and at least so long that no pause of the system explains it: for a start as long as for a commit, which
  /// also merges on the host, how much nobody knows.
  double late_chunk_seconds = 5;
  double late_commit_seconds = 30;
  /// `converging`: for so long pools leave everything to the devices, as long as there is one that takes
  /// part.
  double stand_by_seconds = 0;
  /// That is to see what devices of unknown pace do alone, and ends when it is seen; else what they do is
  /// known to be best.
  bool first_look = false;
};

/// What a worker should do next about grains.
struct claim {
  enum class what {
    take,  ///< `grains` are the worker's
    wait,  ///< nothing now; ask again at `until`, or when something has changed
    end,   ///< nothing any more: all grains are taken, and none can come back
  };
  what then = what::end;
  grain_range grains = {};
  double until = 0;
  /// Executor that is expected to do what is left: if its workers wait, they should ask again now.
  std::optional<unsigned> relies_on = std::nullopt;
};

/// The grains of an input, who has them, and how fast everybody is. The same object decides in real runs and
/// in simulated ones: it is told the time (in seconds since the run began) and never asks for it.
///
/// A grain is free, or one executor has claimed it. What a pool has claimed it will finish, or the run fails.
/// What a device has claimed is on record until it is committed; when the device is lost it is free again.
/// So each grain is committed exactly once, whoever fails when.
///
/// One rule sizes all claims: at each, what is left is filled up to a common level, given how fast everybody
/// is, what each has in hand, and what it costs to start and to end (water_level.hpp). A worker takes a part
/// of its executor's share, so that a wrong estimate can be corrected with the next claim. Who could not even
/// finish one grain before somebody else would have finished all of them takes none.
///
/// Who calls: any thread; the methods that name an executor `who`, only a worker of it, unless said
/// otherwise. Claims of pools take no lock: one compare-and-swap on the interval, and relaxed reads of how
/// fast the others are. Claims of devices, a thousand times fewer, are put on record under a mutex.
class sharing {
 public:
  /// At most `most_executors` participants.
  static constexpr std::size_t most_executors = 32;

  sharing(std::uint32_t grains, const std::vector<participant>& who, sharing_options how = {});

  /// Devices, before their first claim: whether the device is to be started now, because that is worth its
  /// time. False may become true.
  [[nodiscard]] bool starts(unsigned who, double now);
  /// When to ask again, or that there is nothing left to start it for.
  [[nodiscard]] claim ask_later(unsigned who, double now) const;
  void started(unsigned who, double now);

  /// Pools: whether a worker goes on taking grains, or stands aside because devices are at work
  /// (interference.hpp). `in`: whether it took part before; at first it does not.
  [[nodiscard]] bool takes_turn(unsigned who, bool in, double now);
  /// Whether pools still leave everything to devices.
  [[nodiscard]] bool pools_stand_by(double now) const noexcept;
  /// When a worker that stands aside should look again.
  [[nodiscard]] double next_turn(double now) const noexcept;
  /// True once after workers that stand aside should look again.
  [[nodiscard]] bool calls_workers() noexcept {
    return calls_workers_.load(std::memory_order_relaxed) &&
           calls_workers_.exchange(false, std::memory_order_relaxed);
  }
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

  /// Devices: whether others, who have nothing to do, could do the newest of its claims sooner. Asked for by
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

  [[nodiscard]] unsigned depth(unsigned who) const noexcept;
  [[nodiscard]] bool holds_uncommitted(unsigned who) const;
  /// Whether it may still get grains.
  [[nodiscard]] bool takes_part(unsigned who) const noexcept;
  /// Whether somebody else may still get grains.
  [[nodiscard]] bool others_take_part(unsigned who) const noexcept;
  [[nodiscard]] bool was_lost(unsigned who) const noexcept;

  /// Whether every grain is finished and safe. To be asked when all workers have ended.
  [[nodiscard]] bool complete() const;

  /// Grains nobody has; already out of date when it returns.
  [[nodiscard]] std::uint32_t free_grains() const noexcept;
  /// One worker's pace of `who`, as measured so far; and while no other executor was at work.
  [[nodiscard]] const pace& measured(unsigned who) const noexcept { return all_[who]->speed; }
  [[nodiscard]] const pace& measured_alone(unsigned who) const noexcept { return all_[who]->alone; }
  /// Seconds per grain of a device in a first look (sharing_options); 0: there was none.
  [[nodiscard]] double seen_alone(unsigned who) const noexcept {
    return all_[who]->first_look_per_grain.load(std::memory_order_relaxed);
  }
  /// Whether that is its pace, and not what a device's first chunks cost.
  [[nodiscard]] bool pace_is_found(unsigned who) const;

 private:
  enum class stage { cold, declined, starting, ready, dropped, lost };

  // What a device did while pools stood by, without its first chunks, which cost what later ones do not. From
  // end to end, because chunks that end late end together.
  struct undisturbed {
    static constexpr unsigned first_chunks = 3;
    double begin = 0;
    double end = 0;
    double grains = 0;
    unsigned chunks = 0;
    unsigned before = 0;
    void add(double ended_grains, double now) {
      if (before < first_chunks) {
        if (++before == first_chunks) begin = end = now;
        return;
      }
      end = now;
      grains += ended_grains;
      ++chunks;
    }
  };

  // Chunks of a device while pools stood by, of which it is known what it does alone.
  static constexpr unsigned least_alone = 3;
  // Who stands aside looks again after that, if nobody calls.
  static constexpr double aside_seconds = 5e-3;
  // Whoever takes longer makes a context.
  static constexpr double cold_start_seconds = 50e-3;

  struct standing {
    standing(const participant& one)
      : is(one),
        speed(one.model, one.workers),
        alone({}, one.workers),
        most(one.most_grains),
        trial(one.model.known() && one.model.trusted, one.model.start_seconds > cold_start_seconds) {}

    // Of a worker, were the others not at work.
    [[nodiscard]] double alone_per_grain() const noexcept;

    const participant is;
    pace speed;
    pace alone;  // as speed, of what was done while no other executor was at work
    // Relaxed, all of these: advice for the decisions of others. Written by the executor's workers.
    alignas(cache_separation) std::atomic<std::uint32_t> open{0};  // grains claimed and not finished
    std::atomic<double> progressed{0};  // when it last finished something, or began with nothing in hand
    std::atomic<stage> at{stage::ready};
    std::atomic<bool> commits_now{false};
    std::atomic<bool> holds_back{false};   // a device that is not sure to take what is left
    std::atomic<unsigned> in{0};           // workers of a pool that do not stand aside
    std::atomic<bool> wanted_back{false};  // set by others, cleared by the device
    std::atomic<double> started_at{0};
    std::atomic<double> first_look_per_grain{0};  // of a device, in sharing_options::first_look
    std::atomic<std::uint32_t> most;
    std::atomic<unsigned> depth{1};
    // Devices only; guarded by mutex_.
    std::vector<grain_range> uncommitted;
    std::vector<grain_range> committing;
    std::uint64_t commits = 0;
    device_trial trial;
    undisturbed stood_by;
    bool was_alone = false;    // when it ended its last chunk
    bool was_at_work = false;  // since workers were called
  };

  // The others' free time and pace, and one's own.
  struct view {
    // Those who could take part in what is left, in seconds from now.
    std::array<contender, most_executors> others{};
    std::size_t count = 0;
    contender own;  // if nothing is known of its pace: as fast as all others together
    double level = 0;
    double level_without = 0;
    // What is left done by one alone, the soonest of the others and oneself; infinite when unknown.
    double soonest = std::numeric_limits<double>::infinity();
    std::optional<unsigned> soonest_who;
    double own_alone = std::numeric_limits<double>::infinity();
    double own_first = 0;  // one grain done by a worker that asks now
    bool others_known = false;
    bool others_at_work = false;
    bool own_known = false;
  };

  // Whether a device that need not be started for long is about to get its first grains.
  [[nodiscard]] bool begins(const standing& one, double now) const noexcept;
  // Whether a device has grains in hand, and not for so long that it seems to hang.
  [[nodiscard]] bool at_work(const standing& one, double now) const noexcept;
  [[nodiscard]] bool devices_at_work(double now) const noexcept;
  // How many of its workers a pool is to have beside devices.
  [[nodiscard]] unsigned workers_beside(const standing& one, double now) const noexcept;
  // How many workers of a pool of unknown pace take a grain each before they stand by for a first look: when
  // that is over it has to be known what they add. The less is known of a pool that has begun, the faster it
  // may be: an H200 was held back for 0.7 to 3 ms of 20, until 16 workers had ended their first grains.
  [[nodiscard]] unsigned probes(const standing& one) const noexcept;
  // Called with mutex_ held.
  void end_look_if_seen(double now);
  void begin_beside(double now);
  void note_chunk(unsigned who, grain_range grains, double seconds, double now);
  [[nodiscard]] double pool_grains() const noexcept;
  [[nodiscard]] bool worth_starting(unsigned who, double now) const;
  [[nodiscard]] static claim wait_for(const view& seen, double now);
  [[nodiscard]] view look(unsigned who, std::uint32_t left, double now) const;
  // What a worker may take of `left` grains, by the rule; nothing: none now.
  [[nodiscard]] std::optional<std::uint32_t> size(unsigned who, std::uint32_t left, double now);
  [[nodiscard]] std::uint32_t pool_size(const standing& one, double share, double level) const noexcept;
  [[nodiscard]] std::uint32_t device_size(const standing& one, double share) const noexcept;
  // A device beside others; called with mutex_ held.
  [[nodiscard]] std::optional<std::uint32_t> claim_of_device(standing& one, const view& seen,
                                                             std::uint32_t left, double now) const;
  [[nodiscard]] static bool is_of_use(const standing& one, const view& seen) noexcept;
  [[nodiscard]] std::uint32_t left_for(unsigned who) const noexcept;
  [[nodiscard]] claim nothing_left(unsigned who, double now) const;
  [[nodiscard]] bool others_hold_uncommitted(unsigned who) const;
  // Called with mutex_ held.
  void want_back(unsigned who, double now) const;
  void cut_off(standing& one, grain_range grains);
  // These take grains; the last five are called with mutex_ held.
  [[nodiscard]] grain_range take(unsigned who, std::uint32_t grains);
  [[nodiscard]] grain_range take_far(std::uint32_t grains);
  [[nodiscard]] grain_range take_returned(std::uint32_t grains);
  void give_back(grain_range grains);  // a device's
  void make_free(grain_range grains);
  void disown(unsigned who);
  void give_all_back(unsigned who, bool committing_too);
  [[nodiscard]] bool late(const standing& one, double now) const noexcept;

  sharing_options how_;
  std::uint32_t total_;
  std::vector<std::unique_ptr<standing>> all_;
  // The interval of each device, or of each executor, or one for all: see sharing_rule.
  std::vector<std::unique_ptr<interval>> intervals_;
  std::vector<std::optional<unsigned>> owners_;  // of the intervals

  bool mixed_ = false;      // devices and pools
  bool lone_pool_ = false;  // nobody needs to know what its workers have in hand
  mutable std::mutex mutex_;
  std::vector<grain_range> returned_;  // guarded by mutex_
  std::uint64_t device_grains_ = 0;    // claimed by devices and not given back; guarded by mutex_
  interference beside_;                // chunk_ended() and begins(): guarded by mutex_
  std::atomic<bool> calls_workers_{false};
  std::atomic<double> stands_by_until_;  // relaxed: who reads it late begins a moment later
  // Grains in returned_. Written under mutex_; read without, to see whether locking is worth it.
  std::atomic<std::uint32_t> returned_grains_{0};
};

}  // namespace duomap::scheduler
