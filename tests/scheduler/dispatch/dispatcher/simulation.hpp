// Simulates runs of scripted executors: 64 GB take milliseconds, and every fault happens on time. The code of
// real runs decides (scheduler/dispatch/dispatcher/grain_dispatcher.hpp,
// scheduler/dispatch/worker_state_machine.hpp).
#pragma once

#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"
#include "scheduler/dispatch/worker_state_machine.hpp"
#include "scheduler/models/grain_model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test {

inline constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// How an executor really behaves. Seconds per grain are for grains of cost 1.
struct simulated_executor {
  std::string name;
  bool device = false;
  unsigned workers = 1;
  unsigned depth = 1;
  std::uint32_t most_grains = 16;
  double grain_seconds = 1;  ///< for one worker; for a device, in its kernel
  double copy_seconds = 0;   ///< per grain, whatever its cost; overlaps with kernels
  double claim_seconds = 0;  ///< per chunk, where it is the slowest stage
  double start_seconds = 0;
  double end_seconds = 0;                 ///< of a commit
  bool can_give_back = true;              ///< chunks whose kernel has not begun
  std::vector<double> first_copies = {};  ///< the extra time of each, say to lock memory
  unsigned idle = 0;                      ///< of a pool, see scheduler::executor_config

  // Interference: the fraction by which something takes longer.
  double slowed_by_worker = 0;  ///< a device's copies, for each worker of a pool at work
  double slowed_by_device = 0;  ///< a pool's grains, while devices work

  /// The model that the scheduler believes; without one, the true model.
  std::optional<scheduler::grain_model> believed = std::nullopt;

  // Faults. Chunks and commits are counted from 0.
  double slow_factor = 1;                ///< from the time `slow_after` on
  double slow_after = 1;                 ///< when this part of the grains is done
  std::uint64_t fails_at_chunk = never;  ///< the device is lost at this chunk
  std::uint64_t fails_at_commit = never;
  std::uint64_t stalls_at_chunk = never;  ///< the chunk takes an hour
  std::uint64_t stalls_at_commit = never;
  std::uint32_t memory_grains =
      std::numeric_limits<std::uint32_t>::max();  ///< the most open grains, or out of memory
  bool fails_to_start = false;

  [[nodiscard]] scheduler::grain_model truth() const {
    return {.seconds_per_grain = device ? std::max(grain_seconds, copy_seconds) : grain_seconds / workers,
            .claim_seconds = claim_seconds,
            .start_seconds = start_seconds,
            .end_seconds = end_seconds};
  }
};

/// Sums of grain costs: element i is the cost of all grains before grain i. If empty, each grain costs 1.
using cost_sums = std::vector<double>;

struct simulated_run {
  double seconds = 0;                 ///< until everything was committed
  std::vector<std::uint64_t> grains;  ///< committed by each executor
  std::vector<std::uint64_t> chunks;  ///< finished by each executor
  std::uint64_t wrong_grains = 0;     ///< not committed exactly once
  bool hung = false;                  ///< a worker waits for ever
  bool failed = false;                ///< no executor was left for the rest
  std::uint64_t taken_back = 0;       ///< chunks
  /// The throttling found in this run, which the next run gets as scheduler::executor_model::co_run_share.
  std::optional<double> co_run_share = std::nullopt;
  std::uint64_t steps = 0;
};

class simulation {
 public:
  simulation(std::uint32_t grains, std::vector<simulated_executor> executors, const cost_sums& costs = {},
             scheduler::dispatch_options how = {})
    : total_(grains),
      executors_(std::move(executors)),
      costs_(costs),
      all_(grains, configs(), std::move(how)) {
    commits_.resize(executors_.size());
    times_committed_.assign(grains, 0);
    result_.grains.assign(executors_.size(), 0);
    result_.chunks.assign(executors_.size(), 0);
    for (unsigned i = 0; i < executors_.size(); ++i) {
      for (unsigned worker = 0; worker < executors_[i].workers; ++worker)
        workers_.push_back(std::make_unique<simulated_worker>(all_, i, executors_[i].device));
    }
  }

  [[nodiscard]] simulated_run run() {
    for (std::size_t i = 0; i < workers_.size(); ++i) wake(i, 0);
    while (!events_.empty()) {
      const event next = events_.top();
      events_.pop();
      if (next.generation != workers_[next.worker]->generation) continue;
      now_ = next.time;
      if (++result_.steps > 10'000'000) break;
      go_on(next.worker);
    }
    for (const auto& each : workers_) result_.hung = result_.hung || each->doing != activity::ended;
    for (const std::uint8_t times : times_committed_) {
      if (times != 1) ++result_.wrong_grains;
    }
    result_.co_run_share = all_.co_run_share();
    result_.failed = result_.wrong_grains > 0 && nobody_left();
    return result_;
  }

 private:
  enum class activity { nothing, starting, submitting, finishing, committing, waiting, ended };

  struct open_chunk {
    scheduler::grain_range grains;
    double done;
    std::uint64_t number;
    double begun;  // the begin of the kernel
  };

  struct simulated_worker {
    simulated_worker(scheduler::grain_dispatcher& all, unsigned number, bool device)
      : index(number), way(all, number, device) {}
    unsigned index;
    scheduler::worker_state_machine way;
    activity doing = activity::nothing;
    std::uint64_t generation = 0;
    scheduler::grain_range submitting;
    double began = 0;
    double link_free = 0;
    double kernel_free = 0;
    std::deque<open_chunk> open;
    std::vector<scheduler::grain_range> uncommitted;
    std::uint64_t submitted = 0;
  };

  struct event {
    double time;
    std::uint64_t order;
    std::size_t worker;
    std::uint64_t generation;
    bool operator>(const event& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  [[nodiscard]] std::vector<scheduler::executor_config> configs() const {
    std::vector<scheduler::executor_config> all;
    for (const simulated_executor& one : executors_) {
      all.push_back({.workers = one.workers,
                     .depth = one.depth,
                     .device = one.device,
                     .most_grains = one.most_grains,
                     .model = one.believed.value_or(one.truth()),
                     .idle = one.idle,
                     .can_time_out = one.device});
    }
    return all;
  }

  [[nodiscard]] double cost(scheduler::grain_range grains) const {
    return costs_.empty() ? grains.size() : costs_[grains.end] - costs_[grains.begin];
  }
  [[nodiscard]] double slowness(const simulated_executor& one) const {
    return static_cast<double>(done_) >= one.slow_after * total_ ? one.slow_factor : 1;
  }
  // The factor by which all other executors at work slow this executor down.
  [[nodiscard]] double crowding(const simulated_executor& one) const {
    unsigned pool_workers = 0;
    unsigned devices = 0;
    for (const auto& each : workers_) {
      if (executors_[each->index].device) {
        devices += each->open.empty() ? 0U : 1U;
      } else {
        pool_workers += each->doing == activity::submitting ? 1U : 0U;
      }
    }
    return one.device ? 1 + one.slowed_by_worker * pool_workers
                      : 1 + (devices > 0 ? one.slowed_by_device : 0);
  }
  [[nodiscard]] bool nobody_left() const {
    for (unsigned i = 0; i < executors_.size(); ++i) {
      if (all_.takes_part(i)) return false;
    }
    return true;
  }

  // An earlier event of the worker no longer counts.
  void wake(std::size_t worker, double time) {
    events_.push({time, order_++, worker, ++workers_[worker]->generation});
  }
  void wake_who_waits(std::optional<unsigned> of = std::nullopt) {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i]->doing == activity::waiting && (!of || workers_[i]->index == *of)) wake(i, now_);
    }
  }

  void count(unsigned index, scheduler::grain_range grains) {
    for (std::uint32_t grain = grains.begin; grain < grains.end; ++grain) {
      if (times_committed_[grain] < 255) ++times_committed_[grain];
    }
    result_.grains[index] += grains.size();
    result_.seconds = std::max(result_.seconds, now_);
  }

  void lose(unsigned index) {
    all_.failed(index);
    wake_who_waits();
  }

  void end(simulated_worker& me) { me.doing = activity::ended; }

  void go_on(std::size_t index) {
    simulated_worker& me = *workers_[index];
    const simulated_executor& is = executors_[me.index];
    if (!complete(me, is)) return end(me);
    while (true) {
      const scheduler::step next = me.way.next(now_);
      if (all_.calls_workers()) wake_who_waits();
      ++result_.steps;
      using what = scheduler::step::what;
      switch (next.then) {
        case what::start:
          me.doing = activity::starting;
          return wake(index, now_ + is.start_seconds);
        case what::submit:
          if (!is.device) {
            me.doing = activity::submitting;
            me.submitting = next.grains;
            me.began = now_;
            return wake(index, now_ + is.claim_seconds +
                                   cost(next.grains) * is.grain_seconds * slowness(is) * crowding(is));
          }
          if (!submit_to_device(me, is, next.grains)) wake_who_waits();
          continue;
        case what::take_back: {
          // The copy of a chunk that is given back was in vain.
          const bool yes = is.can_give_back && me.open.back().begun > now_;
          if (yes) {
            me.kernel_free = me.open[me.open.size() - 2].done;
            me.open.pop_back();
            ++result_.taken_back;
          }
          me.way.took_back(yes);
          if (yes) wake_who_waits();
          continue;
        }
        case what::finish: {
          me.doing = activity::finishing;
          const bool stalls = is.device && me.open.front().number == is.stalls_at_chunk;
          return wake(index, std::max(now_, me.open.front().done) + (stalls ? 3600 : 0));
        }
        case what::commit:
          if (!is.device) {
            static_cast<void>(me.way.committed(now_));
            continue;
          }
          me.doing = activity::committing;
          return wake(index, now_ + is.end_seconds + (commits_[me.index] == is.stalls_at_commit ? 3600 : 0));
        case what::time_out:
          if (all_.time_out(*next.other, now_)) {
            all_.timed_out(*next.other, commits_[*next.other]);
            wake_who_waits();
          }
          continue;
        case what::wait:
          me.doing = activity::waiting;
          if (next.other) wake_who_waits(*next.other);
          return wake(index, next.until);
        case what::end:
          return end(me);
      }
    }
  }

  // Ends the worker's current step; false if the worker has no further step.
  bool complete(simulated_worker& me, const simulated_executor& is) {
    switch (std::exchange(me.doing, activity::nothing)) {
      case activity::starting:
        if (is.fails_to_start) {
          lose(me.index);
          return false;
        }
        me.way.started(now_);
        return true;
      case activity::submitting:
        me.way.submitted(me.submitting, me.began);
        me.open.push_back({me.submitting, now_, 0, now_});
        return true;
      case activity::finishing: {
        const open_chunk oldest = me.open.front();
        me.open.pop_front();
        if (is.device && oldest.number == is.fails_at_chunk) {
          lose(me.index);
          return false;
        }
        if (!me.way.finished(now_)) return true;
        done_ += oldest.grains.size();
        ++result_.chunks[me.index];
        if (is.device) {
          me.uncommitted.push_back(oldest.grains);
        } else {
          count(me.index, oldest.grains);
        }
        return true;
      }
      case activity::committing: {
        if (all_.has_failed(me.index)) return true;  // timed out: the commit does not count
        if (commits_[me.index]++ == is.fails_at_commit) {
          lose(me.index);
          return false;
        }
        if (me.way.committed(now_)) {
          for (const auto& grains : me.uncommitted) count(me.index, grains);
        }
        me.uncommitted.clear();
        wake_who_waits();
        return true;
      }
      case activity::nothing:
      case activity::waiting:
      case activity::ended:
        return true;
    }
    return true;
  }

  // A device has a copy engine and a kernel engine. Each works on one chunk at a time.
  bool submit_to_device(simulated_worker& me, const simulated_executor& is, scheduler::grain_range grains) {
    std::uint64_t held = grains.size();
    for (const open_chunk& each : me.open) held += each.grains.size();
    if (held > is.memory_grains) {
      static_cast<void>(me.way.refused());
      return false;
    }
    const double once = me.submitted < is.first_copies.size() ? is.first_copies[me.submitted] : 0;
    const double copied = std::max(now_, me.link_free) + once + is.claim_seconds / 2 +
                          grains.size() * is.copy_seconds * crowding(is);
    const double begun = std::max(copied, me.kernel_free);
    const double done = begun + is.claim_seconds / 2 + cost(grains) * is.grain_seconds * slowness(is);
    me.link_free = copied;
    me.kernel_free = done;
    me.open.push_back({grains, done, me.submitted++, begun});
    me.way.submitted(grains, now_);
    return true;
  }

  std::uint32_t total_;
  std::vector<simulated_executor> executors_;
  const cost_sums& costs_;
  scheduler::grain_dispatcher all_;
  std::vector<std::unique_ptr<simulated_worker>> workers_;
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  std::uint64_t order_ = 0;
  double now_ = 0;
  std::uint64_t done_ = 0;
  std::vector<std::uint64_t> commits_;
  std::vector<std::uint8_t> times_committed_;
  simulated_run result_;
};

[[nodiscard]] inline simulated_run simulate(std::uint32_t grains, std::vector<simulated_executor> executors,
                                            const cost_sums& costs = {},
                                            scheduler::dispatch_options how = {}) {
  return simulation(grains, std::move(executors), costs, std::move(how)).run();
}

}  // namespace duomap::test
